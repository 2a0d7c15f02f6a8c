import { expect, test } from 'vitest';
import { sealingTime } from '#ingest/pipeline/pipeline-lane.ts';

const limits = {
  batchRecords: 1,
  batchBytes: 1,
  lingerMs: () => 500,
  idleLingerMs: 10,
  smallBatchIntervalMs: () => 60,
  earlyIntervalMs: 60,
  snapshotEvents: 1,
  snapshotMs: 1,
};
const unhurried = { records: 100, urgent: false, earlyAt: 0 };
const at = (openedAt: number, sealedAt: number, behind = false, sealedRecords = 1000) =>
  sealingTime(limits, { openedAt, sealedAt, sealedRecords, behind, ...unhurried });

test('the first batch, and one after a pause, waits for the idle linger only', () => {
  expect(at(1000, Number.NEGATIVE_INFINITY)).toBe(1010);
  expect(at(1000, 500)).toBe(1010);
  expect(at(1000, 200)).toBe(1010);
});

test('batches are at least the linger time apart, and none waits longer', () => {
  expect(at(1000, 999)).toBe(1499);
  expect(at(1000, 1000)).toBe(1500);
  expect(at(1000, 600)).toBe(1100);
  expect(at(1000, 505)).toBe(1010);
});

test('the batch after a small one waits for the interval of small batches, which is at most the linger time', () => {
  expect(at(1000, 700, false, 1)).toBe(1010);
  expect(at(1000, 990, false, 16)).toBe(1050);
  expect(at(1000, 990, false, 17)).toBe(1490);
  const manyLanes = { ...limits, smallBatchIntervalMs: () => 750 };
  expect(sealingTime(manyLanes, { openedAt: 1000, sealedAt: 990, sealedRecords: 1, behind: false, ...unhurried })).toBe(
    1490,
  );
});

test.each([
  ['waits for the idle linger only', {}, 1010],
  ['waits until lanes may seal one early again', { earlyAt: 1040 }, 1040],
  ['waits no longer than the linger', { earlyAt: 2000 }, 1490],
  ['waits for the linger when it is large', { records: 2001 }, 1490],
  ['waits for others while the lane is behind', { behind: true }, 6000],
])('an urgent batch %s', (_, changed, expected) => {
  const times = { openedAt: 1000, sealedAt: 990, sealedRecords: 1000, records: 2000, behind: false };
  expect(sealingTime(limits, { ...times, urgent: true, earlyAt: 0, ...changed })).toBe(expected);
});

test('a lane that is behind waits for large batches, regardless of earlier ones', () => {
  expect(at(1000, 0, true)).toBe(6000);
  expect(at(1000, 999, true)).toBe(6000);
});
