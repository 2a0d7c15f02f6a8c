import { expect, test } from 'vitest';
import { sealingTime } from '#ingest/pipeline/pipeline-lane.ts';

const limits = {
  batchRecords: 1,
  batchBytes: 1,
  lingerMs: () => 500,
  idleLingerMs: 10,
  smallBatchIntervalMs: () => 60,
  snapshotEvents: 1,
  snapshotMs: 1,
};
const at = (openedAt: number, sealedAt: number, behind = false, sealedRecords = 1000) =>
  sealingTime(limits, { openedAt, sealedAt, sealedRecords, behind });

test('the first batch, and one after a pause, waits for the idle linger only', () => {
  expect(at(1000, Number.NEGATIVE_INFINITY)).toBe(1010);
  expect(at(1000, 500)).toBe(1010);
  expect(at(1000, 200)).toBe(1010);
});

test('batches follow each other no faster than the linger, and none waits longer than it', () => {
  expect(at(1000, 999)).toBe(1499);
  expect(at(1000, 1000)).toBe(1500);
  expect(at(1000, 600)).toBe(1100);
  expect(at(1000, 505)).toBe(1010);
});

test('a batch after a small one follows after the interval of small batches, which is never longer than the linger', () => {
  expect(at(1000, 700, false, 1)).toBe(1010);
  expect(at(1000, 990, false, 16)).toBe(1050);
  expect(at(1000, 990, false, 17)).toBe(1490);
  const manyLanes = { ...limits, smallBatchIntervalMs: () => 750 };
  expect(sealingTime(manyLanes, { openedAt: 1000, sealedAt: 990, sealedRecords: 1, behind: false })).toBe(1490);
});

test('a lane that is behind waits for large batches, whatever came before', () => {
  expect(at(1000, 0, true)).toBe(6000);
  expect(at(1000, 999, true)).toBe(6000);
});
