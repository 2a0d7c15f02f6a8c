import type { Batch } from './batch.ts';
import type { BudgetShare } from './byte-budget.ts';
import type { EarlySeals } from './early-seals.ts';
import type { LaneOwner } from './lane-owner.ts';
import { type LaneLimits, LOOK_AGAIN_MS, sealingTime } from './pipeline-lane.ts';

/** When a lane seals its batch: at once when it is full or waiting brings no more records, otherwise after the linger time. */
export interface SealSchedule {
  /** True when the batch has to be sealed now. Otherwise `check` is called when it may have to be. */
  isDue(batch: Pick<Batch, 'openedAt' | 'behind' | 'records'>, state: { full: boolean; urgent: boolean }): boolean;
  /** Notes that a batch of so many records was sealed. */
  sealed(records: number, urgent: boolean): void;
  /** Cancels the call of `check`. */
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

  /** A batch that has become urgent is checked sooner than was planned. */
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
      // With most of its share of the memory used up the lane may be fed no more, as when others have their turn: waiting longer would bring no company.
      // One that was begun behind lands as soon as nothing more is there: its records have waited long enough.
      const behind = owner.isBehind();
      const enough = full || !budget.hasRoom() || !owner.isFed() || (batch.behind && !behind);
      const times = { openedAt, sealedAt, sealedRecords, records, behind, urgent, earlyAt: early.nextAt() };
      const wait = enough ? 0 : sealingTime(limits, times) - performance.now();
      if (wait <= 0) return true;
      checkIn(behind ? Math.min(wait, LOOK_AGAIN_MS) : wait);
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
