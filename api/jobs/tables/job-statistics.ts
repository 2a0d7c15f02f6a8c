import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

export interface JobsInBucket {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly queue: string;
  readonly started: number;
  readonly done: number;
  readonly failed: number;
}

/**
 * Returns jobs by queue over time: requested, done and failed. Empty buckets are omitted. Finished jobs are deleted
 * after some days.
 */
export async function jobsOverTime(
  db: Db,
  { fromMs, toMs, stepSeconds }: { readonly fromMs: number; readonly toMs: number; readonly stepSeconds: number },
): Promise<JobsInBucket[]> {
  const step = stepSeconds * 1_000;
  const from = new Date(fromMs);
  const to = new Date(toMs);
  const bucket = (column: string) =>
    sql`(floor(extract(epoch FROM ${sql.ref(column)}) * 1000 / ${step}::bigint) * ${step}::bigint)::bigint`;
  const { rows } = await sql<JobsInBucket>`
    SELECT at_ms, queue, count(*) FILTER (WHERE what = 'started') AS started,
      count(*) FILTER (WHERE what = 'done') AS done, count(*) FILTER (WHERE what = 'failed') AS failed
    FROM (
      SELECT ${bucket('created_at')} AS at_ms, queue, 'started' AS what FROM jobs
        WHERE created_at >= ${from} AND created_at < ${to}
      UNION ALL
      SELECT ${bucket('finished_at')}, queue, state FROM jobs
        WHERE state IN ('done', 'failed') AND finished_at >= ${from} AND finished_at < ${to}
    ) AS happened
    GROUP BY at_ms, queue ORDER BY at_ms, queue`.execute(db);
  return rows;
}
