import type { Batch } from './batch.ts';
import type { BudgetShare } from './byte-budget.ts';
import type { EarlySeals } from './early-seals.ts';
import type { LaneOwner } from './lane-owner.ts';
import { CATCH_UP_POLL_MS, type LaneLimits, sealingTime } from './pipeline-lane.ts';

/**
 * Decides when a lane seals its batch: without linger if the batch is full or no more records arrive, otherwise after
 * the linger time.
 */
export interface SealSchedule {
  /** Returns true if the batch must be sealed now. Otherwise schedules a call of `check`. */
  isDue(batch: Pick<Batch, 'openedAt' | 'behind' | 'records'>, state: { full: boolean; urgent: boolean }): boolean;
  /** Notes that a batch with `records` records was sealed. */
  sealed(records: number, urgent: boolean): void;
  /** Cancels the scheduled call of `check`. */
  cancel(): void;
}

interface SealScheduleDeps {
  readonly limits: LaneLimits;
  readonly budget: BudgetShare;
  readonly owner: LaneOwner;
  readonly early: EarlySeals;
  readonly check: () => void;
}

export function createSealSchedule({ limits, budget, owner, early, check }: SealScheduleDeps): SealSchedule {
  let sealedAt = Number.NEGATIVE_INFINITY;
  let sealedRecords = 0;
  let timer: NodeJS.Timeout | undefined;
  let checkAt = Number.POSITIVE_INFINITY;

  /** Schedules `check`, unless an earlier call is scheduled. A batch that becomes urgent moves the call forward. */
  function checkIn(wait: number): void {
    const at = performance.now() + wait;
    if (at >= checkAt) return;
    cancel();
    checkAt = at;
    timer = setTimeout(() => {
      cancel();
      check();
    }, wait);
  }

  function cancel(): void {
    clearTimeout(timer);
    timer = undefined;
    checkAt = Number.POSITIVE_INFINITY;
  }

  return {
    isDue({ openedAt, records, ...batch }, { full, urgent }) {
      // If most of its memory share is used, or other partitions have the turn, the lane may get no more records, so
      // waiting is pointless. A batch that was opened while behind is sealed when the source is empty: its records have
      // waited long enough.
      const behind = owner.isBehind();
      const enough = full || !budget.hasRoom() || !owner.isFed() || (batch.behind && !behind);
      const times = { openedAt, sealedAt, sealedRecords, records, behind, urgent, earlyAt: early.nextAt() };
      const wait = enough ? 0 : sealingTime(limits, times) - performance.now();
      if (wait <= 0) return true;
      checkIn(behind ? Math.min(wait, CATCH_UP_POLL_MS) : wait);
      return false;
    },
    sealed(records, urgent) {
      sealedAt = performance.now();
      sealedRecords = records;
      if (urgent) early.taken(sealedAt);
    },
    cancel,
  };
}
