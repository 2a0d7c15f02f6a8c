import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRedisCounts } from '#api/shared-state/redis-counts.ts';
import type { RunScript } from '#api/shared-state/redis-script.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A script whose calls the test answers, and the number of counts in each call. */
function start() {
  const calls: { readonly counts: number; readonly answer: () => void }[] = [];
  const script: RunScript = (keys) => {
    const { promise, resolve } = Promise.withResolvers<number[]>();
    calls.push({ counts: keys.length / 2, answer: () => resolve(keys.map(() => 0)) });
    return promise;
  };
  const count = createRedisCounts(script);
  const countOne = () =>
    count({ group: 'g', window: 'w', block: 'b', limit: 100, windowUs: 60_000_000, blockMs: 1_000 });
  return { calls, countOne };
}

it('sends a single count immediately', async () => {
  const { calls, countOne } = start();
  const counted = countOne();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls.map(({ counts }) => counts)).toEqual([1]);
  calls[0]?.answer();
  await expect(counted).resolves.toMatchObject({ allowed: true });
});

it('sends sequential counts immediately up to the usual rate', async () => {
  const { calls, countOne } = start();
  for (let n = 0; n < 8; n += 1) {
    const counted = countOne();
    await vi.advanceTimersByTimeAsync(0);
    calls[n]?.answer();
    await counted;
  }
  expect(calls).toHaveLength(8);
  const others = [countOne()];
  await vi.advanceTimersByTimeAsync(0);
  others.push(countOne());
  expect(calls).toHaveLength(8);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls.map(({ counts }) => counts).slice(8)).toEqual([2]);
  calls[8]?.answer();
  await Promise.all(others);
  // After a while the process is idle again.
  await vi.advanceTimersByTimeAsync(10);
  const later = countOne();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toHaveLength(10);
  calls[9]?.answer();
  await later;
});

it('sends counts together while a call is not answered', async () => {
  const { calls, countOne } = start();
  const first = countOne();
  await vi.advanceTimersByTimeAsync(0);
  const others = [countOne(), countOne()];
  await vi.advanceTimersByTimeAsync(5);
  expect(calls.map(({ counts }) => counts)).toEqual([1]);
  calls[0]?.answer();
  await first;
  await vi.advanceTimersByTimeAsync(0);
  expect(calls.map(({ counts }) => counts)).toEqual([1, 2]);
  calls[1]?.answer();
  await Promise.all(others);
});

it('sends a full call without waiting, and the rest later', async () => {
  const { calls, countOne } = start();
  const counted = [countOne()];
  await vi.advanceTimersByTimeAsync(0);
  for (let n = 0; n < 101; n += 1) counted.push(countOne());
  expect(calls.map(({ counts }) => counts)).toEqual([1, 100]);
  for (const { answer } of calls) answer();
  await vi.advanceTimersByTimeAsync(1);
  expect(calls.map(({ counts }) => counts)).toEqual([1, 100, 1]);
  calls[2]?.answer();
  await Promise.all(counted);
});
