import { sql } from 'kysely';
import {
  claimRows,
  expired,
  type LostLease,
  leaseUntil,
  lostLeaseRows,
  RELEASED,
  workerDied,
} from '#api/leases/lease-sql.ts';
import type { Claim } from '#api/leases/port.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Execution } from '../tables/executions.ts';
import { insertSuspensionEvents } from './lifecycle.ts';
import { positionOfResumed } from './queue-position.ts';

export type ExecutionClaim = Claim<string>;

export interface LeaseAnswer extends ExecutionClaim {
  /** True if the lease is valid. */
  readonly ours: boolean;
  /** True if the lease was valid until the execution was cancelled. */
  readonly cancelled: boolean;
  /** False if the row is currently locked. */
  readonly renewed: boolean;
  /** True if the execution should be suspended. */
  readonly suspending: boolean;
  /** True if the execution has undelivered signals. */
  readonly signalled: boolean;
}

/** Renews all leases of a worker. A row that is missing from the result was deleted. */
export async function renewExecutions(
  db: Db,
  claims: readonly ExecutionClaim[],
  worker: string,
  leaseMs: number,
): Promise<LeaseAnswer[]> {
  const { rows } = await sql<LeaseAnswer>`/* prepared: renew-executions */
    WITH mine AS (
      SELECT e.id, claim.epoch, e.epoch = claim.epoch AND e.lease_until IS NOT NULL AS ours,
        e.cancel_requested_at IS NOT NULL AND e.lease_until IS NOT NULL AND e.worker = ${worker} AS cancelled,
        e.suspend_requested_at IS NOT NULL AS suspending
      FROM ${claimRows(claims, 'text')}
      JOIN executions AS e ON e.id = claim.id
    ),
    free AS (
      SELECT id FROM executions WHERE id = ANY (ARRAY(SELECT id FROM mine WHERE ours)) FOR NO KEY UPDATE SKIP LOCKED
    ),
    renewed AS (
      UPDATE executions SET lease_until = ${leaseUntil(leaseMs)}
      WHERE id = ANY (ARRAY(SELECT id FROM free)) AND worker = ${worker} AND lease_until IS NOT NULL AND cancel_requested_at IS NULL
      RETURNING id
    )
    SELECT mine.id, mine.epoch, mine.ours, mine.cancelled, mine.suspending, renewed.id IS NOT NULL AS renewed,
      EXISTS (SELECT FROM execution_signals AS s WHERE s.execution_id = mine.id AND NOT s.delivered) AS signalled
    FROM mine LEFT JOIN renewed ON renewed.id = mine.id`.execute(db);
  return rows;
}

export interface ReclaimRules {
  /** Number of workers that may die while they run an execution alone. The execution then fails. */
  readonly maxCrashes: number;
  /** See `workerDied`. */
  readonly unavailableMsAgo: number | null;
}

/**
 * Makes executions with an expired lease pending. Those with a requested cancellation are left to `settleCancelled`. An
 * execution that has ended `maxCrashes` workers which ran nothing else fails. The other executions of a dead worker
 * become suspects.
 */
export function reclaimExpiredExecutions(
  database: Database,
  { maxCrashes, unavailableMsAgo }: ReclaimRules,
): Promise<LostExecution[]> {
  const error = JSON.stringify({
    type: 'https://serverlessworkflow.io/spec/1.0.0/errors/runtime',
    status: 500,
    title: 'Worker lost',
    detail: `the execution ended the process that ran it ${maxCrashes} times while nothing else ran there; it is not retried`,
  });
  const died = workerDied(unavailableMsAgo);
  const last = sql`(alone AND ${died} AND crashes + 1 >= ${maxCrashes})`;
  const statement = sql<LostExecution & { readonly suspendedAt: Date | null }>`/* prepared: hand-on-executions */
    UPDATE executions
    SET status = CASE WHEN ${last} THEN 'failed' ELSE ${PENDING_OR_SUSPENDED} END, ${expired(died)},
        suspended_at = CASE WHEN suspend_requested_at IS NOT NULL THEN now() END,
        crashes = crashes + CASE WHEN alone AND ${died} THEN 1 ELSE 0 END,
        queued_at = clock_timestamp(), turn = ${positionOfResumed(sql`executions.priority`)},
        error = CASE WHEN ${last} THEN ${error}::json END, completed_at = CASE WHEN ${last} THEN now() END
    WHERE id = ANY (ARRAY(
      SELECT id FROM executions
      WHERE status IN ('running', 'finalizing') AND lease_until < now() AND cancel_requested_at IS NULL
      ORDER BY queued_at, id LIMIT 1000 FOR UPDATE SKIP LOCKED
    ))
    RETURNING id, status, worker, concurrency_key, limited, suspended_at`;
  return inTransaction(database, async (transaction) => {
    const { rows } = await statement.execute(transaction);
    await reportSuspended(transaction, rows);
    return rows;
  });
}

/** An execution whose worker has lost its lease. */
type LostExecution = Pick<Execution, 'id' | 'status' | 'worker' | 'concurrencyKey' | 'limited'>;

/**
 * SQL: status of an execution that its worker leaves before its end. It returns to the queue, unless it should be
 * suspended.
 */
const PENDING_OR_SUSPENDED = sql`CASE WHEN suspend_requested_at IS NULL THEN 'pending' ELSE 'waiting' END`;

async function reportSuspended(
  db: Db,
  rows: readonly { readonly id: string; readonly status: string; readonly suspendedAt: Date | null }[],
): Promise<void> {
  const suspended = rows.filter(({ status, suspendedAt }) => status === 'waiting' && suspendedAt !== null);
  await insertSuspensionEvents(
    db,
    suspended.map(({ id }) => id),
    'suspended',
  );
}

/** Releases the leases of a worker that stops. */
export function releaseExecutions(database: Database, claims: readonly ExecutionClaim[]): Promise<string[]> {
  const statement = sql<Pick<Execution, 'id' | 'status' | 'suspendedAt'>>`
    UPDATE executions
    SET status = ${PENDING_OR_SUSPENDED}, suspended_at = CASE WHEN suspend_requested_at IS NOT NULL THEN now() END, ${RELEASED}, queued_at = clock_timestamp(), turn = ${positionOfResumed(sql`executions.priority`)}
    FROM ${claimRows(claims, 'text')}
    WHERE executions.id = claim.id AND executions.epoch = claim.epoch AND executions.lease_until IS NOT NULL
      AND executions.cancel_requested_at IS NULL
    RETURNING executions.id, status, suspended_at`;
  return inTransaction(database, async (transaction) => {
    const { rows } = await statement.execute(transaction);
    await reportSuspended(transaction, rows);
    return rows.map(({ id }) => id);
  });
}

/**
 * Reverts the losses that `reclaimExpiredExecutions` counted for these leases, unless another worker has claimed the
 * execution since.
 */
export async function retractExecutionLosses(db: Db, leases: readonly LostLease[]): Promise<void> {
  await sql`
    UPDATE executions
    SET losses = executions.losses - 1, crashes = crashes - CASE WHEN claim.alone AND crashes > 0 THEN 1 ELSE 0 END
    FROM ${lostLeaseRows(leases, 'text')}
    WHERE executions.id = claim.id AND executions.epoch = claim.epoch
      AND status = 'pending' AND lease_until IS NULL AND executions.losses > claim.losses`.execute(db);
}

/**
 * Locks an execution that starts a child. Returns false if the lease is lost. A concurrent cancel either comes first,
 * and no child starts, or comes later and finds the child.
 */
export async function holdParent(transaction: Db, { id, epoch }: ExecutionClaim): Promise<boolean> {
  const { rows } = await sql`/* prepared: hold-parent */
    SELECT FROM executions WHERE id = ${id} AND epoch = ${epoch} AND lease_until IS NOT NULL FOR NO KEY UPDATE`.execute(
    transaction,
  );
  return rows.length > 0;
}
