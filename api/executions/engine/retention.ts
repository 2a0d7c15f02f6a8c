import type { Database, Db } from '#api/postgres/database.ts';
import type { JobHandlers } from '../../jobs/port.ts';
import { limitsOf } from '../limits/declared-limits.ts';
import type { PayloadStore } from '../payloads/port.ts';
import { deleteEnded, deleteOutlived, type RetentionScope, workflowsWithRetention } from '../store/retention.ts';

const HOUR_MS = 3_600_000;
const AT_ONCE = 500;

export interface RetentionDeps {
  readonly database: Database;
  readonly payloads?: PayloadStore | undefined;
  /** Takes away what others keep of executions, in the same transaction. */
  readonly within?: (transaction: Db, ids: readonly string[]) => Promise<void>;
}

export interface RetentionConfig {
  /** How long executions that have ended are kept, ms, where their workflow does not declare it. Default 30 days. */
  readonly keepMs?: number;
  /** How often it is looked, ms. Default: hourly. */
  readonly every?: number;
}

/** Takes away executions that ended long ago, with their payloads, and what events and idempotency keys have been outlived. */
export function executionHousekeeping(
  { database, payloads, within }: RetentionDeps,
  { keepMs = 30 * 24 * HOUR_MS, every = HOUR_MS }: RetentionConfig = {},
): JobHandlers {
  return {
    'housekeeping.executions': {
      every,
      concurrency: 1,
      // In parts: a long delete would hold what others wait for.
      async handle({ signal }) {
        let executions = 0;
        const remove = async (olderThanMs: number, scope: RetentionScope): Promise<void> => {
          while (!signal.aborted) {
            const { ids, files } = await deleteEnded(database, { olderThanMs, limit: AT_ONCE, scope }, within);
            if (files.length > 0) await payloads?.delete(files);
            executions += ids.length;
            if (ids.length < AT_ONCE) return;
          }
        };
        const own = (await workflowsWithRetention(database)).flatMap(({ workflowId, limits }) => {
          const { retentionMs } = limitsOf({ document: { metadata: { limits } } });
          return retentionMs === undefined ? [] : [{ workflowId, retentionMs }];
        });
        for (const { workflowId, retentionMs } of own) await remove(retentionMs, { workflowId });
        await remove(keepMs, { except: own.map(({ workflowId }) => workflowId) });
        let outlived = 0;
        for (let gone = AT_ONCE; gone >= AT_ONCE && !signal.aborted; outlived += gone)
          gone = await deleteOutlived(database, AT_ONCE);
        return { executions, outlived };
      },
    },
  };
}
