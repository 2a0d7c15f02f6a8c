import type { JobHandlers } from '#api/jobs/port.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { limitsOf } from '../limits/declared-limits.ts';
import type { PayloadStore } from '../payloads/port.ts';
import { deleteEnded, deleteOutlived, type RetentionScope, workflowsWithRetention } from '../store/retention.ts';

const HOUR_MS = 3_600_000;
const BATCH_ROWS = 500;

export interface RetentionDeps {
  readonly database: Database;
  readonly payloads?: PayloadStore | undefined;
  /** Deletes data of other subjects about these executions, in the same transaction. */
  readonly within?: (transaction: Db, ids: readonly string[]) => Promise<void>;
}

export interface RetentionConfig {
  /** How long to keep ended executions whose workflow declares no retention, in ms. Default 30 days. */
  readonly keepMs?: number;
  /** Interval of the job, in ms. Default: hourly. */
  readonly every?: number;
}

/**
 * Deletes executions that ended before the retention time, with their payloads, and expired events and idempotency
 * keys.
 */
export function executionHousekeeping(
  { database, payloads, within }: RetentionDeps,
  { keepMs = 30 * 24 * HOUR_MS, every = HOUR_MS }: RetentionConfig = {},
): JobHandlers {
  return {
    'housekeeping.executions': {
      every,
      concurrency: 1,
      // Deletes in batches: one long delete would hold locks that other statements wait for.
      async handle({ signal }) {
        let executions = 0;
        const remove = async (olderThanMs: number, scope: RetentionScope): Promise<void> => {
          while (!signal.aborted) {
            const { ids, files } = await deleteEnded(database, { olderThanMs, limit: BATCH_ROWS, scope }, within);
            if (files.length > 0) await payloads?.delete(files);
            executions += ids.length;
            if (ids.length < BATCH_ROWS) return;
          }
        };
        const own = (await workflowsWithRetention(database)).flatMap(({ workflowId, limits }) => {
          const { retentionMs } = limitsOf({ document: { metadata: { limits } } });
          return retentionMs === undefined ? [] : [{ workflowId, retentionMs }];
        });
        for (const { workflowId, retentionMs } of own) await remove(retentionMs, { workflowId });
        await remove(keepMs, { except: own.map(({ workflowId }) => workflowId) });
        let outlived = 0;
        for (let gone = BATCH_ROWS; gone >= BATCH_ROWS && !signal.aborted; outlived += gone)
          gone = await deleteOutlived(database, BATCH_ROWS);
        return { executions, outlived };
      },
    },
  };
}
