import { expect, test } from 'vitest';
import { retryDelay } from '#api/jobs/back-off.ts';

test('pauses double up to a quarter of an hour, with 50 % jitter', () => {
  expect([1, 2, 3, 4].map((attempts) => retryDelay(attempts, () => 1))).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect([1, 2].map((attempts) => retryDelay(attempts, () => 0))).toEqual([500, 1_000]);
  expect(retryDelay(1_000_000, () => 1)).toBe(15 * 60_000);
});
