import type { Batch } from './batch.ts';
import type { BudgetShare } from './byte-budget.ts';
import type { LaneOwner } from './lane-owner.ts';
import { type LaneLimits, LOOK_AGAIN_MS, sealingTime } from './pipeline-lane.ts';

/** When a lane seals its batch: at once when it is full or waiting brings no more records, otherwise after the linger time. */
export interface SealSchedule {
  /** True when the batch has to be sealed now. Otherwise `check` is called when it may have to be. */
  isDue(batch: Pick<Batch, 'openedAt' | 'behind'>, full: boolean): boolean;
  /** Notes that a batch of so many records was sealed. */
  sealed(records: number): void;
  /** Cancels the call of `check`. */
  cancel(): void;
}

interface SealScheduleDeps {
  readonly limits: LaneLimits;
  readonly budget: BudgetShare;
  readonly owner: LaneOwner;
  readonly check: () => void;
}

export function createSealSchedule({ limits, budget, owner, check }: SealScheduleDeps): SealSchedule {
  let sealedAt = Number.NEGATIVE_INFINITY;
  let sealedRecords = 0;
  let timer: NodeJS.Timeout | undefined;

  return {
    isDue(batch, full) {
      // With most of its share of the memory used up the lane may be fed no more, as when others have their turn: waiting longer would bring no company.
      // One that was begun behind lands as soon as nothing more is there: its records have waited long enough.
      const behind = owner.isBehind();
      const enough = full || !budget.hasRoom() || !owner.isFed() || (batch.behind && !behind);
      const due = sealingTime(limits, { openedAt: batch.openedAt, sealedAt, sealedRecords, behind });
      const wait = enough ? 0 : due - performance.now();
      if (wait <= 0) return true;
      timer ??= setTimeout(
        () => {
          timer = undefined;
          check();
        },
        behind ? Math.min(wait, LOOK_AGAIN_MS) : wait,
      );
      return false;
    },
    sealed(records) {
      sealedAt = performance.now();
      sealedRecords = records;
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
