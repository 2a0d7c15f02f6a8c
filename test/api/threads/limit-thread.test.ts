import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { limitThread } from '#api/threads/limit-thread.ts';

/** A thread that runs this source text. */
function thread(text: string): Worker {
  const worker = new Worker(text, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  return worker;
}

/** Resolves when the limit is reached. */
const reached = (worker: Parameters<typeof limitThread>[0], limitMs: number) =>
  new Promise<void>((resolve) => void limitThread(worker, limitMs, resolve));

test('a computing thread reaches its limit', async () => {
  await reached(thread('for (;;);'), 200);
});

test('an idle one has ten times as long', async () => {
  const began = performance.now();
  await reached(thread('setInterval(() => {}, 1000)'), 100);
  expect(performance.now() - began).toBeGreaterThanOrEqual(999);
});

test('one that does not report its time has the plain limit', async () => {
  await reached({ threadId: 1, cpuUsage: () => new Promise(() => {}) }, 100);
});

test('one that has not started is waited for, and its start does not count', async () => {
  let asked = 0;
  const cpuUsage = async () => {
    asked += 1;
    if (asked < 3) throw new Error('the thread does not run');
    return { user: asked * 1e6, system: 0 };
  };
  await reached({ threadId: 1, cpuUsage }, 1_000);
  expect(asked).toBe(4);
});

test('one that has ended has reached it', async () => {
  const worker = thread('0');
  await worker.terminate();
  await reached(worker, 100);
});

test('a stopped watcher is not called', async () => {
  const calls: string[] = [];
  const stop = limitThread(thread('for (;;);'), 100, () => calls.push('first'));
  stop();
  await reached(thread('for (;;);'), 300);
  expect(calls).toEqual([]);
});
