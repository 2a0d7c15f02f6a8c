import { expect, test } from 'vitest';
import { watchBlockedThread } from '#api/leases/blocked-thread.ts';

const INTERVAL_MS = 2_000;

/** True if the thread counts as blocked by work after this wall time and processor time. */
function blockedAfter(elapsedMs: number, usedMs: number): boolean {
  let [now, used] = [5_000, 700];
  const thread = watchBlockedThread(INTERVAL_MS, { now: () => now, used: () => used });
  thread.tick();
  now += elapsedMs;
  used += usedMs;
  return thread.isBlockedByWork();
}

test.each([
  ['work held the thread for longer than the interval', 12_000, 11_000, true],
  ['work held it on a machine that gave it half of a processor', 12_000, 6_000, true],
  ['the process was frozen', 30_000, 1, false],
  ['the machine gave it little processor time', 12_000, 1_500, false],
  ['the thread is busy, and its interval comes in time', 2_500, 2_400, false],
  ['nothing happened', 100, 1, false],
])('%s', (_case, elapsedMs, usedMs, expected) => {
  expect(blockedAfter(elapsedMs, usedMs)).toBe(expected);
});
