import { sql } from 'kysely';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { ExecutionStatus } from '../engine/port.ts';
import type { Execution } from '../tables/executions.ts';
import { insertEndEvents } from './lifecycle.ts';

/** An execution a cancel had something to do with. */
export interface CancelledExecution {
  readonly id: string;
  readonly was: ExecutionStatus;
  readonly status: ExecutionStatus;
  readonly concurrencyKey: string | null;
  readonly limited: boolean;
}

/**
 * Cancels an execution and the children it waits for. What is not leased is cancelled at once; for what runs or waits the end is requested, and
 * the epoch raised: from then on its worker can write nothing but the end. What is terminal stays as it is. The first of the answer is the one that
 * was asked for; none: there is no such execution.
 */
export function cancelExecution(database: Database, id: string): Promise<CancelledExecution[]> {
  return inTransaction(database, async (transaction) => {
    const all: CancelledExecution[] = [];
    let level = await cancelEach(transaction, [id]);
    while (level.length > 0) {
      all.push(...level);
      // Looked up after the parents are locked: none of them can begin another child any more.
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
  // Two statements: the second sees the rows as they are when they are locked.
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

/** Children of ended executions that are still at work; a parent takes the children it waits for along. */
export async function orphansOf(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`/* prepared: orphans-of-executions */
    SELECT id FROM executions WHERE parent_id = ANY (${ids}::text[]) AND awaited AND completed_at IS NULL`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Ends cancelled executions that are not leased: those that wait, those whose worker is gone, and those that `worker` itself holds and has let
 * go (`ids`).
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
 * Running steps, timers and waits of executions that have ended without their interpreter, the recorded calls of agents' runs, and the lifecycle events of
 * their end.
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
