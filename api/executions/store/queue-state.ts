import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

export interface QueueState {
  readonly kind: 'workflow' | 'agent';
  /** Number of executions that could run but are not claimed. */
  readonly pending: number;
  /** Age of the oldest of them in seconds; 0 if none exists. */
  readonly oldestSeconds: number;
}

/**
 * Returns the backlog of executions that wait for a worker. Those that wait for a time, an event or a concurrency key
 * are not counted, because they need no worker.
 */
export async function queueState(db: Db): Promise<QueueState[]> {
  const { rows } = await sql<QueueState>`
    SELECT kinds.kind, count(e.queued_at)::integer AS pending,
      greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(e.queued_at)), 0))::double precision AS oldest_seconds
    FROM (VALUES ('workflow'), ('agent')) AS kinds (kind)
    LEFT JOIN (SELECT kind, queued_at FROM executions WHERE status = 'pending') AS e ON e.kind = kinds.kind
    GROUP BY kinds.kind ORDER BY kinds.kind`.execute(db);
  return rows;
}
