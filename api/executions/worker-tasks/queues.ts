import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { grantedUnits } from '#api/sharing/conditions.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import { OPERATOR_LANE } from '../store/queue-position.ts';

/** A queue of an account, for lists. */
export interface WorkerQueue {
  readonly queue: string;
  /** Null for the operator. */
  readonly account: string | null;
  readonly waiting: number;
  readonly leased: number;
  readonly oldestSeconds: number | null;
  readonly workers: readonly { readonly name: string; readonly lastSeenAt: string | null; readonly leased: number }[];
}

const MAX_QUEUES = 200;
const MAX_WORKERS = 50;

/**
 * Returns the queues with open tasks or workers: the viewer's own, those of workflows that the viewer may work for, and
 * all for administrators.
 */
export async function listWorkerQueues(db: Db, viewer: Viewer): Promise<WorkerQueue[]> {
  const lane = viewer.userId ?? OPERATOR_LANE;
  const granted = viewer.administrator ? [] : await grantedUnits(db, viewer, ['workflow'], 'work');
  const all = sql`${viewer.administrator}::boolean`;
  const { rows } = await sql<WorkerQueue>`
    WITH tasks AS (
      SELECT lane, queue, status, worker, created_at FROM worker_tasks
      WHERE status IN ('waiting', 'leased') AND (${all} OR lane = ${lane}::uuid OR workflow_id = ANY (${granted}::text[]))
    ),
    counted AS (
      SELECT lane, queue, count(*) FILTER (WHERE status = 'waiting')::int AS waiting, count(*) FILTER (WHERE status = 'leased')::int AS leased,
        extract(epoch FROM clock_timestamp() - min(created_at) FILTER (WHERE status = 'waiting'))::float8 AS oldest_seconds
      FROM tasks GROUP BY lane, queue
    ),
    holding AS (SELECT lane, queue, worker, count(*)::int AS leased FROM tasks WHERE status = 'leased' GROUP BY lane, queue, worker),
    seen AS (SELECT lane, queue, worker, last_seen_at FROM workers_seen WHERE ${all} OR lane = ${lane}::uuid),
    workers AS (
      SELECT lane, queue, worker, seen.last_seen_at, coalesce(holding.leased, 0) AS leased,
        row_number() OVER (PARTITION BY lane, queue ORDER BY seen.last_seen_at DESC NULLS LAST, worker) AS place
      FROM seen FULL JOIN holding USING (lane, queue, worker)
    ),
    listed AS (
      SELECT lane, queue, json_agg(
        json_build_object('name', worker, 'lastSeenAt', to_char(last_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'leased', leased)
        ORDER BY place
      ) AS workers
      FROM workers WHERE place <= ${MAX_WORKERS} GROUP BY lane, queue
    )
    SELECT queue, users.username AS account, coalesce(waiting, 0) AS waiting, coalesce(leased, 0) AS leased, oldest_seconds,
      coalesce(workers, '[]'::json) AS workers
    FROM counted FULL JOIN listed USING (lane, queue)
    LEFT JOIN users ON users.id = lane
    ORDER BY coalesce(waiting, 0) DESC, coalesce(leased, 0) DESC, queue, account LIMIT ${MAX_QUEUES}`.execute(db);
  return rows;
}

export interface WorkerTaskTotal {
  readonly state: 'waiting' | 'leased';
  readonly tasks: number;
  /** Age of the oldest of them in seconds; 0 if none exists. */
  readonly oldestSeconds: number;
}

/** Returns the open tasks of external workers of the whole installation. */
export async function workerTaskTotals(db: Db): Promise<WorkerTaskTotal[]> {
  const { rows } = await sql<WorkerTaskTotal>`
    SELECT states.state, count(t.created_at)::int AS tasks,
      greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(t.created_at)), 0))::float8 AS oldest_seconds
    FROM (VALUES ('waiting'), ('leased')) AS states (state)
    LEFT JOIN (SELECT status, created_at FROM worker_tasks WHERE status IN ('waiting', 'leased')) AS t ON t.status = states.state
    GROUP BY states.state`.execute(db);
  return rows;
}
