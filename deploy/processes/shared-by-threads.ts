import { createSharedBudget, type SharedBudget } from '#ingest/pipeline/byte-budget.ts';
import { createSharedSealTime, type SharedSealTime } from '#ingest/pipeline/early-seals.ts';

/** State that the pipelines of a process share across threads. */
export interface SharedByThreads {
  readonly budget: SharedBudget;
  readonly earlySealed: SharedSealTime;
}

export function createSharedByThreads(): SharedByThreads {
  return { budget: createSharedBudget(), earlySealed: createSharedSealTime() };
}
