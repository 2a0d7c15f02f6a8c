import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { positionOfNew } from './queue-position.ts';

/**
 * Makes the next execution of a concurrency key pending if no execution holds the key. Skips executions that wait for a
 * limit of their workflow. Call it after the commit that accepted or ended an execution: of two concurrent calls, the
 * later one sees both changes. Returns true if one was admitted.
 */
export async function admitNext(db: Db, key: string): Promise<boolean> {
  try {
    const { rows } = await sql`/* prepared: admit-execution */
      UPDATE executions
      SET status = 'pending', queued_at = clock_timestamp(), turn = ${positionOfNew(sql`executions.lane`, sql`executions.priority`)}
      WHERE id = (
        SELECT id FROM executions AS next WHERE status = 'created' AND concurrency_key = ${key}
          AND NOT (limited AND EXISTS (SELECT FROM execution_admissions AS a WHERE a.execution_id = next.id AND a.admitted_at IS NULL))
        ORDER BY priority DESC, id LIMIT 1 FOR UPDATE OF next SKIP LOCKED
      ) AND status = 'created' AND NOT EXISTS (
        SELECT FROM executions AS holder
        WHERE holder.concurrency_key = ${key} AND holder.status IN ('pending', 'running', 'waiting', 'finalizing')
      )
      RETURNING id`.execute(db);
    return rows.length > 0;
  } catch (error) {
    // Another process admitted one concurrently.
    if (violatedUnique(error) === 'executions_key_holder') return false;
    throw error;
  }
}

/**
 * Returns keys with waiting executions but no holder. They occur when a process dies right after it accepted or ended
 * an execution.
 */
export async function freeKeys(db: Db): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`/* prepared: free-keys */
    WITH RECURSIVE keys AS (
      (SELECT concurrency_key AS key FROM executions WHERE status = 'created' ORDER BY concurrency_key LIMIT 1)
      UNION ALL
      SELECT (
        SELECT e.concurrency_key FROM executions AS e
        WHERE e.status = 'created' AND e.concurrency_key > keys.key ORDER BY e.concurrency_key LIMIT 1
      )
      FROM keys WHERE keys.key IS NOT NULL
    )
    SELECT key FROM keys WHERE key IS NOT NULL AND NOT EXISTS (
      SELECT FROM executions AS holder
      WHERE holder.concurrency_key = keys.key AND holder.status IN ('pending', 'running', 'waiting', 'finalizing')
    )`.execute(db);
  return rows.map(({ key }) => key);
}
