import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Execution } from '../tables/executions.ts';

export interface ExecutionsInBucket {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly kind: Execution['kind'];
  readonly accepted: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
}

/**
 * Returns executions by kind over time: accepted, and by outcome. Empty buckets are omitted. Executions deleted by
 * retention are not counted.
 */
export async function executionsOverTime(
  db: Db,
  { fromMs, toMs, stepSeconds }: { readonly fromMs: number; readonly toMs: number; readonly stepSeconds: number },
): Promise<ExecutionsInBucket[]> {
  const step = stepSeconds * 1_000;
  const from = new Date(fromMs);
  const to = new Date(toMs);
  const bucket = (column: string) =>
    sql`(floor(extract(epoch FROM ${sql.ref(column)}) * 1000 / ${step}::bigint) * ${step}::bigint)::bigint`;
  const { rows } = await sql<ExecutionsInBucket>`
    SELECT at_ms, kind, count(*) FILTER (WHERE what = 'accepted') AS accepted,
      count(*) FILTER (WHERE what = 'completed') AS completed,
      count(*) FILTER (WHERE what IN ('failed', 'rejected')) AS failed,
      count(*) FILTER (WHERE what = 'cancelled') AS cancelled
    FROM (
      SELECT ${bucket('created_at')} AS at_ms, kind, 'accepted' AS what FROM executions
        WHERE created_at >= ${from} AND created_at < ${to}
      UNION ALL
      SELECT ${bucket('completed_at')}, kind, status FROM executions
        WHERE status IN ('completed', 'failed', 'rejected', 'cancelled') AND completed_at >= ${from} AND completed_at < ${to}
    ) AS happened
    GROUP BY at_ms, kind ORDER BY at_ms, kind`.execute(db);
  return rows;
}
