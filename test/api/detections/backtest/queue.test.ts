import { expect, test } from 'vitest';
import { createBacktestQueue } from '#api/detections/backtest/queue.ts';

const NEVER = new AbortController().signal;

/** Back-tests that end when the test decides, and the order in which they began. */
function recorded(queue = createBacktestQueue({ maxWaiting: 4 })) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (principal: string, name: string, signal = NEVER) =>
    queue.run(principal, signal, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  return { queue, begun, run, end: (name: string) => ends.get(name)?.() };
}

test('back-tests run one at a time, and principals take turns', async () => {
  const { queue, begun, run, end } = recorded();
  const all = [run('ann', 'a1'), run('ann', 'a2'), run('ann', 'a3'), run('ben', 'b1'), run('cid', 'c1')];
  expect([begun, queue.waiting()]).toEqual([['a1'], 4]);
  const order = ['a1', 'b1', 'c1', 'a2', 'a3'];
  for (const [i, name] of order.entries()) {
    expect(begun).toEqual(order.slice(0, i + 1));
    end(name);
    await new Promise(setImmediate);
  }
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
  expect(queue.waiting()).toBe(0);
});

test('rejects a principal with too many queued back-tests, and everyone when the queue is full', async () => {
  const { queue, run, end } = recorded();
  const first = run('ann', 'a1');
  const waiting = [run('ann', 'a2'), run('ann', 'a3')];
  const refused = { code: 'rate_limited', headers: { 'retry-after': '30' } };
  await expect(run('ann', 'a4')).rejects.toMatchObject(refused);
  waiting.push(run('ben', 'b1'), run('cid', 'c1'));
  await expect(run('dee', 'd1')).rejects.toMatchObject(refused);
  expect(queue.waiting()).toBe(4);
  for (const name of ['a1', 'b1', 'c1', 'a2', 'a3']) {
    end(name);
    await new Promise(setImmediate);
  }
  expect(await Promise.all([first, ...waiting])).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
});

test('a disconnected client leaves the queue, and a failed back-test frees the slot', async () => {
  const { queue, begun, run, end } = recorded();
  const failing = queue.run('ann', NEVER, () => Promise.reject(new Error('ClickHouse is unavailable')));
  const gone = new AbortController();
  const left = run('ben', 'b1', gone.signal);
  const next = run('cid', 'c1');
  gone.abort(new Error('disconnected'));
  await expect(left).rejects.toThrow('disconnected');
  await expect(failing).rejects.toThrow('unavailable');
  await new Promise(setImmediate);
  expect(begun).toEqual(['c1']);
  end('c1');
  expect(await next).toBe('c1');
});

test('reports the position to each queued back-test, and again when it changes', async () => {
  const queue = createBacktestQueue();
  const seen: Record<string, number[]> = { a1: [], a2: [], b1: [], c1: [] };
  const ends = new Map<string, () => void>();
  const run = (principal: string, name: string, signal = NEVER) =>
    queue.run(
      principal,
      signal,
      () => new Promise<void>((resolve) => ends.set(name, resolve)),
      (position) => seen[name]?.push(position),
    );
  const gone = new AbortController();
  const all = [run('ann', 'a1'), run('ann', 'a2'), run('ben', 'b1', gone.signal), run('cid', 'c1')];
  // Ann's second back-test runs after those of the others.
  expect(seen).toEqual({ a1: [0], a2: [1, 2, 3], b1: [1], c1: [2] });
  gone.abort(new Error('cancelled'));
  await expect(all[2]).rejects.toThrow('cancelled');
  expect(seen).toMatchObject({ a2: [1, 2, 3, 2], c1: [2, 1] });
  for (const name of ['a1', 'c1', 'a2']) {
    ends.get(name)?.();
    await new Promise(setImmediate);
  }
  await Promise.all([all[0], all[1], all[3]]);
  expect(seen).toEqual({ a1: [0], a2: [1, 2, 3, 2, 1, 0], b1: [1], c1: [2, 1, 0] });
});
