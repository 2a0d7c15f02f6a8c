import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPolling } from '#api/leases/polling.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('polls immediately, at the interval and at a set time, and not after it is stopped', async () => {
  const work = vi.fn(async () => {});
  const polling = createPolling(work, { pollMs: 1_000 });
  polling.start();
  expect(work).toHaveBeenCalledTimes(1);
  polling.at(Date.now() + 300);
  polling.at(Date.now() + 600); // later than the configured time
  await vi.advanceTimersByTimeAsync(299);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(700);
  expect(work).toHaveBeenCalledTimes(3);
  polling.at(Date.now() + 100);
  polling.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(work).toHaveBeenCalledTimes(3);
});

test('runs one call at a time, and one more for all calls during it', async () => {
  const calls: PromiseWithResolvers<void>[] = [];
  const polling = createPolling(
    () => {
      const call = Promise.withResolvers<void>();
      calls.push(call);
      return call.promise;
    },
    { pollMs: 1_000 },
  );
  polling.start();
  await vi.advanceTimersByTimeAsync(3_500);
  expect(calls).toHaveLength(1);
  calls[0]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toHaveLength(2);
  polling.stop();
});
