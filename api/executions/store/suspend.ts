import { sql } from 'kysely';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import { insertSuspensionEvents } from './lifecycle.ts';
import { positionOfResumed } from './queue-position.ts';

/** State of an execution before a suspension or resumption. */
export interface Suspendable {
  readonly id: string;
  readonly status: ExecutionStatus;
  readonly cancelRequested: boolean;
  readonly suspendRequested: boolean;
  readonly suspendedAt: Date | null;
}

/** Runs in the transaction of the change, for example to write an audit entry. */
type Within = (transaction: Db) => Promise<void>;

/** Result of a request. */
export interface SuspensionChange {
  /** The requested execution before the change. */
  readonly was: Suspendable;
  /** True if it was changed. */
  readonly changed: boolean;
  /** Leased executions, whose workers must be notified. */
  readonly held: readonly string[];
}

/**
 * Suspends an execution of a workflow and its awaited children. Unleased ones are suspended immediately. A running one
 * waits for its open tasks, begins no others, and is suspended when its worker leaves it. Resolves to undefined if it
 * does not exist.
 */
export function suspendExecution(
  database: Database,
  id: string,
  within: Within,
): Promise<SuspensionChange | undefined> {
  return inTransaction(database, async (transaction) => {
    const [was] = await lock(transaction, [id]);
    if (was === undefined) return undefined;
    const held: string[] = [];
    const suspended: string[] = [];
    let changed = false;
    let level = [id];
    while (level.length > 0) {
      const rows = await suspendEach(transaction, level);
      changed ||= rows.some((row) => row.id === id);
      for (const row of rows) (row.suspended ? suspended : held).push(row.id);
      level = await awaitedChildren(transaction, level);
    }
    await insertSuspensionEvents(transaction, suspended, 'suspended');
    if (changed) await within(transaction);
    return { was, changed, held };
  });
}

/**
 * Resumes an execution and its suspended awaited children. Timeouts are extended by the time of the suspension. Waits
 * for a moment that has passed continue immediately. Resolves to undefined if it does not exist.
 */
export function resumeExecution(database: Database, id: string, within: Within): Promise<SuspensionChange | undefined> {
  return inTransaction(database, async (transaction) => {
    const [was] = await lock(transaction, [id]);
    if (was === undefined) return undefined;
    let changed = false;
    let level = [id];
    while (level.length > 0) {
      const before = await lock(transaction, level);
      const asked = before.filter(({ suspendRequested }) => suspendRequested).map((row) => row.id);
      const suspended = before.filter(({ suspendedAt }) => suspendedAt !== null).map((row) => row.id);
      await insertSuspensionEvents(transaction, suspended, 'resumed');
      await resumeEach(transaction, asked);
      changed ||= asked.includes(id);
      level = await awaitedChildren(transaction, level);
    }
    if (changed) await within(transaction);
    return { was, changed, held: [] };
  });
}

/** Locks the rows that have not ended. At the first level, also returns the requested row if it has ended. */
async function lock(db: Db, ids: readonly string[]): Promise<Suspendable[]> {
  const { rows } = await sql<Suspendable>`
    SELECT id, status, cancel_requested_at IS NOT NULL AS cancel_requested,
      completed_at IS NULL AND suspend_requested_at IS NOT NULL AS suspend_requested,
      CASE WHEN completed_at IS NULL THEN suspended_at END AS suspended_at
    FROM executions WHERE id = ANY (${ids}::text[]) ORDER BY id FOR NO KEY UPDATE`.execute(db);
  return rows;
}

async function suspendEach(
  db: Db,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly suspended: boolean }[]> {
  await lock(db, ids);
  const { rows } = await sql<{ id: string; suspended: boolean }>`
    UPDATE executions
    SET suspend_requested_at = now(), wake_at = NULL, status = CASE WHEN status = 'pending' THEN 'waiting' ELSE status END,
      suspended_at = CASE WHEN status IN ('pending', 'waiting') THEN now() END
    WHERE id = ANY (${ids}::text[]) AND kind = 'workflow' AND completed_at IS NULL AND cancel_requested_at IS NULL
      AND suspend_requested_at IS NULL
    RETURNING id, suspended_at IS NOT NULL AS suspended`.execute(db);
  return rows;
}

async function resumeEach(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    UPDATE execution_timers AS t SET fire_at = t.fire_at + (now() - e.suspended_at)
    FROM executions AS e
    WHERE e.id = ANY (${ids}::text[]) AND e.suspended_at IS NOT NULL AND t.execution_id = e.id AND t.fired_at IS NULL
      AND t.timer ~ '#(timeout|limit)(\\.|$)'`.execute(db);
  await sql`
    UPDATE executions
    SET suspend_requested_at = NULL, suspended_at = NULL,
      status = CASE WHEN suspended_at IS NOT NULL AND cancel_requested_at IS NULL THEN 'pending' ELSE status END,
      queued_at = CASE WHEN suspended_at IS NOT NULL THEN clock_timestamp() ELSE queued_at END,
      turn = CASE WHEN suspended_at IS NOT NULL THEN ${positionOfResumed(sql`executions.priority`)} ELSE turn END
    WHERE id = ANY (${ids}::text[])`.execute(db);
}

async function awaitedChildren(db: Db, parents: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM executions WHERE parent_id = ANY (${parents}::text[]) AND awaited AND completed_at IS NULL`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Returns the suspension of an open execution; undefined if it is not suspended. */
export async function findSuspension(
  db: Db,
  id: string,
): Promise<{ readonly requestedAt: Date; readonly suspendedAt: Date | null } | undefined> {
  const { rows } = await sql<{ requestedAt: Date; suspendedAt: Date | null }>`
    SELECT suspend_requested_at AS requested_at, suspended_at FROM executions
    WHERE id = ${id} AND completed_at IS NULL AND suspend_requested_at IS NOT NULL`.execute(db);
  return rows[0];
}
