import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Execution } from '../tables/executions.ts';
import { turnOfWoken } from './turn.ts';

/** Who has neither the one nor the other right writes nothing. */
export interface ExecutionClaim {
  readonly id: string;
  readonly epoch: number;
}

export interface LeaseAnswer extends ExecutionClaim {
  /** Still this worker's. */
  readonly ours: boolean;
  /** Was ours; it was cancelled. */
  readonly cancelled: boolean;
  /** False for one whose row is locked just now. */
  readonly renewed: boolean;
  /** Has signals to be read. */
  readonly signalled: boolean;
}

/** Holds all leases of a worker for another while. One that is not in the answer is gone. */
export async function renewExecutions(
  db: Db,
  claims: readonly ExecutionClaim[],
  worker: string,
  leaseMs: number,
): Promise<LeaseAnswer[]> {
  const { rows } = await sql<LeaseAnswer>`/* prepared: renew-executions */
    WITH mine AS (
      SELECT e.id, claim.epoch, e.epoch = claim.epoch AND e.lease_until IS NOT NULL AS ours,
        e.cancel_requested_at IS NOT NULL AND e.lease_until IS NOT NULL AND e.worker = ${worker} AS cancelled
      FROM unnest(${claims.map(({ id }) => id)}::text[], ${claims.map(({ epoch }) => epoch)}::int[]) AS claim (id, epoch)
      JOIN executions AS e ON e.id = claim.id
    ),
    free AS (
      SELECT id FROM executions WHERE id = ANY (ARRAY(SELECT id FROM mine WHERE ours)) FOR NO KEY UPDATE SKIP LOCKED
    ),
    renewed AS (
      UPDATE executions SET lease_until = now() + ${leaseMs} * interval '1 millisecond'
      WHERE id = ANY (ARRAY(SELECT id FROM free)) AND worker = ${worker} AND lease_until IS NOT NULL AND cancel_requested_at IS NULL
      RETURNING id
    )
    SELECT mine.id, mine.epoch, mine.ours, mine.cancelled, renewed.id IS NOT NULL AS renewed,
      EXISTS (SELECT FROM execution_signals AS s WHERE s.execution_id = mine.id AND NOT s.delivered) AS signalled
    FROM mine LEFT JOIN renewed ON renewed.id = mine.id`.execute(db);
  return rows;
}

export interface HandOnRules {
  /** How many workers that held an execution alone may die before it fails. */
  readonly maxCrashes: number;
  /** Leases that ended longer ago than this, ms, are not counted: PostgreSQL was unavailable to everyone. Null: all are counted. */
  readonly unavailableMsAgo: number | null;
}

/**
 * Makes those pending whose worker renewed no lease. An execution whose cancellation was requested is left to `settleCancelled`. One that has ended too many
 * workers which held nothing else is failed; the others that a dead worker held become suspects.
 */
export async function handOnExecutions(
  db: Db,
  { maxCrashes, unavailableMsAgo }: HandOnRules,
): Promise<Pick<Execution, 'id' | 'status' | 'worker' | 'concurrencyKey'>[]> {
  const error = JSON.stringify({
    type: 'https://serverlessworkflow.io/spec/1.0.0/errors/runtime',
    status: 500,
    title: 'Worker lost',
    detail: `the execution ended the process that ran it ${maxCrashes} times while nothing else ran there; it is not retried`,
  });
  const counted = sql`(lease_until >= now() - ${unavailableMsAgo}::float8 * interval '1 millisecond') IS NOT FALSE`;
  const last = sql`(alone AND ${counted} AND crashes + 1 >= ${maxCrashes})`;
  const { rows } = await sql<
    Pick<Execution, 'id' | 'status' | 'worker' | 'concurrencyKey'>
  >`/* prepared: hand-on-executions */
    UPDATE executions
    SET status = CASE WHEN ${last} THEN 'failed' ELSE 'pending' END, lease_until = NULL, alone = false,
        losses = losses + CASE WHEN ${counted} THEN 1 ELSE 0 END, crashes = crashes + CASE WHEN alone AND ${counted} THEN 1 ELSE 0 END,
        queued_at = clock_timestamp(), turn = ${turnOfWoken(sql`executions.priority`)},
        error = CASE WHEN ${last} THEN ${error}::json END, completed_at = CASE WHEN ${last} THEN now() END
    WHERE id = ANY (ARRAY(
      SELECT id FROM executions
      WHERE status IN ('running', 'finalizing') AND lease_until < now() AND cancel_requested_at IS NULL
      ORDER BY queued_at, id LIMIT 1000 FOR UPDATE SKIP LOCKED
    ))
    RETURNING id, status, worker, concurrency_key`.execute(db);
  return rows;
}

/** Gives back what a worker that stops has not got done. */
export async function handBackExecutions(db: Db, claims: readonly ExecutionClaim[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE executions
    SET status = 'pending', lease_until = NULL, alone = false, queued_at = clock_timestamp(), turn = ${turnOfWoken(sql`executions.priority`)}
    FROM unnest(${claims.map(({ id }) => id)}::text[], ${claims.map(({ epoch }) => epoch)}::int[]) AS claim (id, epoch)
    WHERE executions.id = claim.id AND executions.epoch = claim.epoch AND executions.lease_until IS NOT NULL
      AND executions.cancel_requested_at IS NULL
    RETURNING executions.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Locks an execution that is to get a child; false when it is not ours any more. A cancel comes before, and there is no child, or after, and finds it. */
export async function holdParent(transaction: Db, { id, epoch }: ExecutionClaim): Promise<boolean> {
  const { rows } = await sql`/* prepared: hold-parent */
    SELECT FROM executions WHERE id = ${id} AND epoch = ${epoch} AND lease_until IS NOT NULL FOR NO KEY UPDATE`.execute(
    transaction,
  );
  return rows.length > 0;
}
