import type { JobHandlers } from '#api/jobs/port.ts';
import { deleteFinishedJobs } from '#api/jobs/tables/jobs.ts';
import type { Database } from '#api/postgres/database.ts';
import { deleteExpired } from './retention.ts';

const HOUR_MS = 3_600_000;
const JOBS_AT_ONCE = 1_000;

export interface HousekeepingConfig {
  /** Interval of each task, ms. Default: hourly. */
  readonly every?: number;
  /** Retention of completed jobs, ms. Default: a day. */
  readonly keepDoneMs?: number;
  /** Retention of jobs that failed permanently, for inspection, ms. Default: 30 days. */
  readonly keepFailedMs?: number;
}

/**
 * Deletes expired rows. Expired rows are rejected anyway, so deleting them only frees space. Returns the number of
 * deleted rows of each kind.
 */
export function housekeepingHandlers(
  { database }: { readonly database: Database },
  { every = HOUR_MS, keepDoneMs = 24 * HOUR_MS, keepFailedMs = 30 * 24 * HOUR_MS }: HousekeepingConfig = {},
): JobHandlers {
  const settings = { every, concurrency: 1 };
  return {
    'housekeeping.accounts': { ...settings, handle: () => deleteExpired(database) },
    'housekeeping.jobs': {
      ...settings,
      // Deletes in batches: a long delete would hold locks that other transactions wait for.
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
