import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

export interface QueueState {
  readonly kind: 'workflow' | 'agent';
  /** Executions that could run and have not been claimed. */
  readonly pending: number;
  /** For how long the first of them has been waiting; 0 when none does. */
  readonly oldestSeconds: number;
}

/** How long executions wait for a worker. Those that wait for a time, an event or their concurrency key are not counted: they are well. */
export async function queueState(db: Db): Promise<QueueState[]> {
  const { rows } = await sql<QueueState>`
    SELECT kinds.kind, count(e.queued_at)::integer AS pending,
      greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(e.queued_at)), 0))::double precision AS oldest_seconds
    FROM (VALUES ('workflow'), ('agent')) AS kinds (kind)
    LEFT JOIN (SELECT kind, queued_at FROM executions WHERE status = 'pending') AS e ON e.kind = kinds.kind
    GROUP BY kinds.kind ORDER BY kinds.kind`.execute(db);
  return rows;
}
