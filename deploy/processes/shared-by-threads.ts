import { createSharedBudget, type SharedBudget } from '#ingest/pipeline/byte-budget.ts';
import { createSharedSealTime, type SharedSealTime } from '#ingest/pipeline/early-seals.ts';

/** What the pipelines of a process in several threads know of each other. */
export interface SharedByThreads {
  readonly budget: SharedBudget;
  readonly earlySealed: SharedSealTime;
}

export function createSharedByThreads(): SharedByThreads {
  return { budget: createSharedBudget(), earlySealed: createSharedSealTime() };
}
