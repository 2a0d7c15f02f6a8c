import { afterEach, expect, test } from 'vitest';
import { createBoundedThreads, ThreadLimitError, ThreadsBusyError } from '#api/threads/bounded-threads.ts';

const file = new URL('./bounded-thread.ts', import.meta.url);
const options = { file, threads: 2, timeLimitMs: 200, maxQueued: 50, idleMs: 60_000, memoryMb: 64, stackMb: 4 };
const created: { close(): Promise<void> }[] = [];
const create = (more: Partial<typeof options> & { maxQueuedOfKey?: number } = {}) => {
  const threads = createBoundedThreads<string, string>({ ...options, ...more });
  created.push(threads);
  return threads;
};
afterEach(() => Promise.all(created.splice(0).map((threads) => threads.close())));

test('a request that exceeds its time or memory is stopped, and the next one works', async () => {
  const threads = create();
  await expect(threads.run('loop')).rejects.toMatchObject({ name: 'ThreadLimitError', limit: 'time' });
  await expect(threads.run('allocate')).rejects.toBeInstanceOf(ThreadLimitError);
  expect(await threads.run('hello')).toBe('hello');
});

test('an account that floods the threads with endless requests does not block another', async () => {
  const threads = create();
  let ended = 0;
  const flood = Array.from({ length: 20 }, () => threads.run('loop', 'attacker').catch(() => ended++));
  expect(await threads.run('hello', 'other')).toBe('hello');
  // The attacker occupies one of two threads: the request of the other account does not wait for the attacker's.
  expect(ended).toBeLessThan(flood.length / 2);
  await threads.close();
  await Promise.all(flood);
});

test('with one thread the keys take turns', async () => {
  const threads = create({ threads: 1 });
  const order: string[] = [];
  const run = (request: string, key: string) => threads.run(request, key).then((reply) => order.push(reply));
  await Promise.all([run('a1', 'a'), run('a2', 'a'), run('a3', 'a'), run('b1', 'b'), run('b2', 'b')]);
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

test('rejects requests beyond the queue, for one key before all', async () => {
  const threads = create({ threads: 1, maxQueued: 3, maxQueuedOfKey: 2 });
  const first = [threads.run('1', 'a'), threads.run('2', 'a')];
  await expect(threads.run('3', 'a')).rejects.toBeInstanceOf(ThreadsBusyError);
  first.push(threads.run('4', 'b'));
  await expect(threads.run('5', 'b')).rejects.toThrow('too many requests are waiting');
  expect(await Promise.all(first)).toEqual(['1', '2', '4']);
});

test('a closed pool rejects queued and new requests', async () => {
  const threads = create();
  const waiting = threads.run('hello');
  const rejected = expect(waiting).rejects.toBeInstanceOf(ThreadsBusyError);
  await threads.close();
  await rejected;
  await expect(threads.run('hello')).rejects.toThrow('the threads are closed');
});
