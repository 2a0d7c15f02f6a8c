import { expect, test } from 'vitest';
import { createByteBudget } from '#ingest/pipeline/byte-budget.ts';
import { createSealSchedule } from '#ingest/pipeline/seal-schedule.ts';

interface Situation {
  readonly usedBytes?: number;
  readonly ownerBehind?: boolean;
  readonly fed?: boolean;
  readonly lingerMs?: number;
}

/** A schedule of a lane with 100 bytes of memory, and a promise of its check. */
function testSchedule({ usedBytes = 0, ownerBehind = false, fed = true, lingerMs = 3_600_000 }: Situation = {}) {
  const budget = createByteBudget(100).join();
  budget.add(usedBytes);
  const checked = Promise.withResolvers<void>();
  const schedule = createSealSchedule({
    limits: {
      batchRecords: 10,
      batchBytes: 10,
      lingerMs: () => lingerMs,
      idleLingerMs: lingerMs,
      smallBatchIntervalMs: () => lingerMs,
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
    check: checked.resolve,
  });
  return { schedule, checked: checked.promise };
}

const opened = (behind = false) => ({ openedAt: performance.now(), behind });

test('a batch that others may still join waits, and a full one does not', () => {
  const { schedule } = testSchedule();
  expect(schedule.isDue(opened(), false)).toBe(false);
  expect(schedule.isDue(opened(), true)).toBe(true);
  schedule.cancel();
});

test.each([
  ['most of the memory is used', testSchedule({ usedBytes: 80 }), false],
  ['the lane is not fed', testSchedule({ fed: false }), false],
  ['the batch was begun behind, and the lane has caught up', testSchedule(), true],
  ['the linger time is over', testSchedule({ lingerMs: 0 }), false],
])('a batch is sealed at once when %s', (_, { schedule }, behind) => {
  expect(schedule.isDue(opened(behind), false)).toBe(true);
});

test('a batch that was begun behind waits while the lane is behind, and is checked again', async () => {
  const { schedule, checked } = testSchedule({ ownerBehind: true });
  expect(schedule.isDue(opened(true), false)).toBe(false);
  await checked;
});

test('a batch that has to wait is checked when its linger time is over', async () => {
  const { schedule, checked } = testSchedule({ lingerMs: 20 });
  schedule.sealed(1000);
  if (!schedule.isDue(opened(), false)) await checked;
});
