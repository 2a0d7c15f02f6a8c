import { expect, test } from 'vitest';
import { sealingTime } from '#ingest/pipeline/pipeline-lane.ts';

const limits = {
  batchRecords: 1,
  batchBytes: 1,
  lingerMs: () => 500,
  idleLingerMs: 10,
  snapshotEvents: 1,
  snapshotMs: 1,
};
const at = (openedAt: number, sealedAt: number, behind = false) => sealingTime(limits, { openedAt, sealedAt, behind });

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

test('a lane that is behind waits for large batches, whatever came before', () => {
  expect(at(1000, 0, true)).toBe(6000);
  expect(at(1000, 999, true)).toBe(6000);
});
