import type { JobHandlers } from '#api/jobs/port.ts';
import { deleteFinishedJobs } from '#api/jobs/tables/jobs.ts';
import type { Database } from '#api/postgres/database.ts';
import { deleteExpired } from './retention.ts';

const HOUR_MS = 3_600_000;
const JOBS_AT_ONCE = 1_000;

export interface HousekeepingConfig {
  /** How often each is done, ms. Default: hourly. */
  readonly every?: number;
  /** How long jobs that were done are kept, ms. Default: a day. */
  readonly keepDoneMs?: number;
  /** How long jobs that failed for good are kept, to be looked into, ms. Default: 30 days. */
  readonly keepFailedMs?: number;
}

/** Deletes expired rows. They are refused from their end on, so deleting them only frees space. Returns the number of deleted rows of each kind. */
export function housekeepingHandlers(
  { database }: { readonly database: Database },
  { every = HOUR_MS, keepDoneMs = 24 * HOUR_MS, keepFailedMs = 30 * 24 * HOUR_MS }: HousekeepingConfig = {},
): JobHandlers {
  const settings = { every, concurrency: 1 };
  return {
    'housekeeping.accounts': { ...settings, handle: () => deleteExpired(database) },
    'housekeeping.jobs': {
      ...settings,
      // In parts: a long delete would hold what others wait for.
      async handle({ signal }) {
        let jobs = 0;
        while (!signal.aborted) {
          const deleted = await deleteFinishedJobs(
            database,
            { doneMs: keepDoneMs, failedMs: keepFailedMs },
            JOBS_AT_ONCE,
          );
          jobs += deleted;
          if (deleted < JOBS_AT_ONCE) break;
        }
        return { jobs };
      },
    },
  };
}
