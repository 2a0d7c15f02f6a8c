import { sql } from 'kysely';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import type { Execution } from '../tables/executions.ts';
import { insertEndEvents } from './lifecycle.ts';

/** An execution that a cancel request affects. */
export interface CancelledExecution {
  readonly id: string;
  readonly was: ExecutionStatus;
  readonly status: ExecutionStatus;
  readonly concurrencyKey: string | null;
  readonly limited: boolean;
}

/**
 * Cancels an execution and its awaited children. Unleased `created` and `pending` executions are cancelled immediately.
 * For running and waiting ones, the cancellation is requested and the epoch raised: their worker can then write nothing
 * but the end. Terminal ones are unchanged. The first element of the result is the requested execution; the result is
 * empty if it does not exist.
 */
export function cancelExecution(database: Database, id: string): Promise<CancelledExecution[]> {
  return inTransaction(database, async (transaction) => {
    const all: CancelledExecution[] = [];
    let level = await cancelEach(transaction, [id]);
    while (level.length > 0) {
      all.push(...level);
      // Read after the parents are locked, so they cannot start further children.
      level = await cancelEach(transaction, await awaitedChildren(transaction, level));
    }
    await closeEnded(
      transaction,
      all.filter(({ was, status }) => was !== status).map((one) => one.id),
    );
    return all;
  });
}

async function cancelEach(db: Db, ids: readonly string[]): Promise<CancelledExecution[]> {
  if (ids.length === 0) return [];
  // Two statements, because the second sees the rows as of the lock.
  const found = await sql<{ id: string; was: ExecutionStatus }>`
    SELECT id, status AS was FROM executions WHERE id = ANY (${ids}::text[]) ORDER BY id FOR NO KEY UPDATE`.execute(db);
  const changed = await sql<{ id: string; status: ExecutionStatus; concurrencyKey: string | null; limited: boolean }>`
    UPDATE executions
    SET epoch = epoch + CASE WHEN cancel_requested_at IS NULL THEN 1 ELSE 0 END, cancel_requested_at = coalesce(cancel_requested_at, now()),
      status = CASE WHEN status IN ('created', 'pending') THEN 'cancelled' ELSE status END,
      completed_at = CASE WHEN status IN ('created', 'pending') THEN now() END
    WHERE id = ANY (${ids}::text[]) AND completed_at IS NULL
    RETURNING id, status, concurrency_key, limited`.execute(db);
  const byId = new Map(changed.rows.map((row) => [row.id, row]));
  return found.rows.map(({ id, was }) => ({
    id,
    was,
    status: byId.get(id)?.status ?? was,
    concurrencyKey: byId.get(id)?.concurrencyKey ?? null,
    limited: byId.get(id)?.limited ?? false,
  }));
}

async function awaitedChildren(db: Db, parents: readonly CancelledExecution[]): Promise<string[]> {
  const ended = ['completed', 'failed', 'rejected'];
  const ids = parents.filter(({ was }) => !ended.includes(was)).map(({ id }) => id);
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM executions WHERE parent_id = ANY (${ids}::text[]) AND awaited AND completed_at IS NULL`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns awaited children of ended executions that have not ended. They end with their parent. */
export async function orphansOf(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`/* prepared: orphans-of-executions */
    SELECT id FROM executions WHERE parent_id = ANY (${ids}::text[]) AND awaited AND completed_at IS NULL`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Ends cancelled executions that are not leased: waiting ones, those whose worker is dead, and those of `ids` that
 * `worker` has leased but no longer runs.
 */
export async function settleCancelled(
  database: Database,
  { worker, ids }: { readonly worker: string; readonly ids: readonly string[] },
): Promise<Pick<Execution, 'id' | 'kind' | 'concurrencyKey' | 'limited'>[]> {
  return inTransaction(database, async (transaction) => {
    const { rows } = await sql<Pick<Execution, 'id' | 'kind' | 'concurrencyKey' | 'limited'>>`
      UPDATE executions SET status = 'cancelled', lease_until = NULL, wake_at = NULL, completed_at = now()
      WHERE id = ANY (ARRAY(
        SELECT id FROM executions WHERE status = 'waiting' AND cancel_requested_at IS NOT NULL
        UNION ALL
        SELECT id FROM executions WHERE status IN ('running', 'finalizing') AND cancel_requested_at IS NOT NULL
          AND (lease_until < now() OR (worker = ${worker} AND id = ANY (${ids}::text[])))
      )) AND status IN ('waiting', 'running', 'finalizing') AND cancel_requested_at IS NOT NULL
      RETURNING id, kind, concurrency_key, limited`.execute(transaction);
    await closeEnded(
      transaction,
      rows.map(({ id }) => id),
    );
    return rows;
  });
}

/**
 * Cleans up executions that ended without their interpreter: ends open steps, timers, waits and recorded calls of agent
 * runs. Also inserts the lifecycle events of their end.
 */
export async function closeEnded(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    WITH ended AS (SELECT unnest(${ids}::text[]) AS id),
    steps AS (
      UPDATE execution_steps AS s SET status = 'cancelled', ended_at = now(), changed = nextval('execution_trace_seq')
      FROM ended WHERE s.execution_id = ended.id AND s.status IN ('running', 'waiting')
    ),
    timers AS (DELETE FROM execution_timers AS t USING ended WHERE t.execution_id = ended.id AND t.fired_at IS NULL),
    calls AS (DELETE FROM agent_run_calls AS c USING ended WHERE c.execution_id = ended.id)
    DELETE FROM execution_waits AS w USING ended WHERE w.execution_id = ended.id`.execute(db);
  await insertEndEvents(db, ids);
}
