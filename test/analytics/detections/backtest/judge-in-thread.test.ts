import { expect, test } from 'vitest';
import { judgeInThread } from '#analytics/detections/backtest/judge-in-thread.ts';

function threadOf(onMessage: string) {
  const source = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', (portion) => ${onMessage});`;
  return { file: new URL(`data:text/javascript,${encodeURIComponent(source)}`), task: undefined };
}

const thread = threadOf(`parentPort.postMessage(portion === null ? 'found' : null)`);

test('a disconnected client stops the work and the reader of the events', async () => {
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

test('without a disconnect all portions are processed', async () => {
  async function* portions() {
    yield 1;
  }
  const work = judgeInThread<number, string>(thread, portions(), { maxMs: 600_000 });
  expect(await work).toEqual({ found: 'found', complete: true });
});

test.each([
  { does: 'exits', thread: threadOf('process.exit(7)'), message: 'exited before its answer, with code 7' },
  { does: 'fails', thread: threadOf(`{ throw new Error('no such column') }`), message: 'no such column' },
])('a thread that $does is an error, not an endless wait', async ({ thread: broken, message }) => {
  async function* portions() {
    yield 1;
  }
  await expect(judgeInThread(broken, portions(), { maxMs: 600_000 })).rejects.toThrow(message);
});
