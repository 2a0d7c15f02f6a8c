import { expect, test } from 'vitest';
import { judgeInThread } from '#analytics/detections/backtest/judge-in-thread.ts';

const thread = {
  file: new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', (portion) => parentPort.postMessage(portion === null ? 'found' : null));
    `)}`,
  ),
  task: undefined,
};

test('a client that leaves ends the work, and the reader of the events', async () => {
  const left = new AbortController();
  let isClosed = false;
  async function* portions() {
    try {
      for (let portion = 1; ; portion += 1) yield portion;
    } finally {
      isClosed = true;
    }
  }
  const judged: number[] = [];
  const work = judgeInThread<number, string>(thread, portions(), {
    maxMs: 600_000,
    signal: left.signal,
    onJudged(portion) {
      judged.push(portion);
      if (portion === 3) left.abort(new Error('the client disconnected'));
    },
  });
  await expect(work).rejects.toThrow('the client disconnected');
  expect({ judged, isClosed }).toEqual({ judged: [1, 2, 3], isClosed: true });
});

test('without that all portions are judged', async () => {
  async function* portions() {
    yield 1;
  }
  const work = judgeInThread<number, string>(thread, portions(), { maxMs: 600_000 });
  expect(await work).toEqual({ found: 'found', complete: true });
});
