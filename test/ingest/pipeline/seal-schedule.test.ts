import { expect, test } from 'vitest';
import { createByteBudget } from '#ingest/pipeline/byte-budget.ts';
import { createEarlySeals } from '#ingest/pipeline/early-seals.ts';
import { createSealSchedule } from '#ingest/pipeline/seal-schedule.ts';

interface Situation {
  readonly usedBytes?: number;
  readonly ownerBehind?: boolean;
  readonly fed?: boolean;
  readonly lingerMs?: number;
  readonly idleLingerMs?: number;
}

/** A schedule for a lane with 100 bytes of memory, and a promise of its check. */
function testSchedule({
  usedBytes = 0,
  ownerBehind = false,
  fed = true,
  lingerMs = 3_600_000,
  idleLingerMs = lingerMs,
}: Situation = {}) {
  const budget = createByteBudget(100).join();
  budget.add(usedBytes);
  const checked = Promise.withResolvers<void>();
  const early = createEarlySeals(lingerMs);
  const schedule = createSealSchedule({
    limits: {
      batchRecords: 10,
      batchBytes: 10,
      lingerMs: () => lingerMs,
      idleLingerMs,
      smallBatchIntervalMs: () => lingerMs,
      earlyIntervalMs: lingerMs,
      snapshotEvents: 1,
      snapshotMs: 1,
    },
    budget,
    owner: {
      commit: async () => {},
      hasRoom: () => {},
      isBehind: () => ownerBehind,
      isFed: () => fed,
      failed: () => {},
    },
    early,
    check: checked.resolve,
  });
  return { schedule, early, checked: checked.promise };
}

const opened = (behind = false) => ({ openedAt: performance.now(), behind, records: 100 });
const usual = { full: false, urgent: false };

test('a batch with room waits, and a full one does not', () => {
  const { schedule } = testSchedule();
  expect(schedule.isDue(opened(), usual)).toBe(false);
  expect(schedule.isDue(opened(), { ...usual, full: true })).toBe(true);
  schedule.cancel();
});

test.each([
  ['most of the memory is used', testSchedule({ usedBytes: 80 }), false],
  ['the lane is not fed', testSchedule({ fed: false }), false],
  ['the batch was begun behind, and the lane has caught up', testSchedule(), true],
  ['the linger time is over', testSchedule({ lingerMs: 0 }), false],
])('a batch is sealed immediately when %s', (_, { schedule }, behind) => {
  expect(schedule.isDue(opened(behind), usual)).toBe(true);
});

test('a batch that was begun behind waits while the lane is behind, and is checked again', async () => {
  const { schedule, checked } = testSchedule({ ownerBehind: true });
  expect(schedule.isDue(opened(true), usual)).toBe(false);
  await checked;
});

test('a batch that has to wait is checked when its linger time is over', async () => {
  const { schedule, checked } = testSchedule({ lingerMs: 20 });
  schedule.sealed(1000, false);
  if (!schedule.isDue(opened(), usual)) await checked;
});

test('a batch that becomes urgent is checked before the linger time is over', async () => {
  const { schedule, checked } = testSchedule({ idleLingerMs: 20 });
  schedule.sealed(1000, false);
  expect(schedule.isDue(opened(), usual)).toBe(false);
  if (!schedule.isDue(opened(), { ...usual, urgent: true })) await checked;
});

test('an urgent batch that is sealed delays those of other lanes', () => {
  const { schedule, early } = testSchedule({ idleLingerMs: 0 });
  expect(schedule.isDue(opened(), { ...usual, urgent: true })).toBe(true);
  schedule.sealed(100, true);
  expect(early.nextAt()).toBeGreaterThan(performance.now());
  expect(schedule.isDue(opened(), { ...usual, urgent: true })).toBe(false);
  schedule.cancel();
});
