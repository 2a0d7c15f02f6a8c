import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Execution } from '../tables/executions.ts';
import { positionOfResumed } from './queue-position.ts';

/** Pending work for workers, in one query. An idle engine runs only this query, once per second. */
export interface Attention {
  readonly pending: boolean;
  /** Number of losses of the next suspect; null if there is no suspect. */
  readonly suspectLosses: number | null;
  /** True if at least one execution is leased. */
  readonly held: boolean;
  readonly leaseEnded: boolean;
  readonly toCancel: boolean;
  readonly toRoute: boolean;
  readonly toSearch: boolean;
  readonly toNotify: boolean;
  /** True if the lease of an external worker has expired. */
  readonly taskLeaseEnded: boolean;
  /** True if recorded changes are not yet in the counts of lists. */
  readonly toCount: boolean;
  /** ms until the next timer of a waiting execution is due, negative if overdue; null if there is no timer. */
  readonly nextWakeMs: number | null;
  /** ms until the time condition of a waiting start is met; null if no start waits for a time. */
  readonly nextAdmissionMs: number | null;
}

/**
 * Reads the pending work. Each part reads the first row of an index, and leased executions individually. Other plans
 * are slow: a table scan reads all ended executions before it finds such a row, and a bitmap scan rereads everything
 * leased since the last vacuum.
 */
export async function needsAttention(db: Db, kinds: readonly Execution['kind'][]): Promise<Attention> {
  const inHand = sql`SELECT queued_at, id, lease_until FROM executions WHERE status IN ('running', 'finalizing')`;
  const { rows } = await sql<Attention>`/* prepared: needs-attention */
    WITH RECURSIVE held AS (
      (${inHand} ORDER BY queued_at, id LIMIT 1)
      UNION ALL
      SELECT next.* FROM held CROSS JOIN LATERAL (
        ${inHand} AND (queued_at, id) > (held.queued_at, held.id) ORDER BY queued_at, id LIMIT 1
      ) AS next
    )
    SELECT ${anyOf(sql`executions WHERE status = 'pending' ORDER BY priority DESC, turn, queued_at`)} AS pending,
      (SELECT losses FROM executions WHERE status = 'pending' AND losses > 0 AND kind = ANY (${kinds}::text[])
        ORDER BY losses DESC, queued_at LIMIT 1) AS suspect_losses,
      EXISTS (SELECT FROM held) AS held,
      EXISTS (SELECT FROM held WHERE lease_until < now()) AS lease_ended,
      ${anyOf(sql`executions WHERE status = 'waiting' AND cancel_requested_at IS NOT NULL ORDER BY cancel_requested_at`)} AS to_cancel,
      ${anyOf(sql`execution_events WHERE NOT routed ORDER BY seq`)} AS to_route,
      ${anyOf(sql`execution_waits WHERE NOT searched ORDER BY execution_id`)} AS to_search,
      ${anyOf(sql`executions WHERE awaited AND NOT parent_told AND completed_at IS NOT NULL ORDER BY id`)} AS to_notify,
      coalesce((SELECT lease_until < now() FROM worker_tasks WHERE status = 'leased' ORDER BY lease_until LIMIT 1), false) AS task_lease_ended,
      ${anyOf(sql`execution_count_changes`)} OR ${anyOf(sql`agent_example_changes`)} AS to_count,
      (SELECT extract(epoch FROM wake_at - now())::float8 * 1000 FROM executions
        WHERE status = 'waiting' AND wake_at IS NOT NULL ORDER BY wake_at LIMIT 1) AS next_wake_ms,
      (SELECT extract(epoch FROM retry_at - now())::float8 * 1000 FROM execution_admissions
        WHERE admitted_at IS NULL AND released_at IS NULL AND retry_at IS NOT NULL ORDER BY retry_at LIMIT 1) AS next_admission_ms`.execute(
    db,
  );
  return rows[0] as Attention;
}

/**
 * SQL expression: true if a row exists, found by the index of this order. EXISTS would discard the order and with it
 * the index.
 */
function anyOf(ordered: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce((SELECT true FROM ${ordered} LIMIT 1), false)`;
}

/** Makes executions with due timers pending. Resolves to their number; more may be due. */
export async function wakeDue(db: Db): Promise<number> {
  const { rows } = await sql`/* prepared: wake-due */
    WITH due AS (
      SELECT id, lane, priority, wake_at FROM executions
      WHERE status = 'waiting' AND wake_at <= clock_timestamp() ORDER BY wake_at LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED
    ),
    turns AS (
      SELECT due.id, ${positionOfResumed(sql`due.priority`, sql`row_number() OVER (PARTITION BY due.lane, due.priority ORDER BY due.wake_at) - 1`)} AS turn
      FROM due
    )
    UPDATE executions SET status = 'pending', lease_until = NULL, wake_at = NULL, queued_at = clock_timestamp(), turn = turns.turn
    FROM turns WHERE executions.id = turns.id AND executions.cancel_requested_at IS NULL
    RETURNING executions.id`.execute(db);
  return rows.length;
}

export interface OpenTimer {
  readonly executionId: string;
  readonly timer: string;
  readonly fireAt: Date;
  /** True if it is due by the clock of the database. */
  readonly due: boolean;
}

/** Returns the timers of these executions that have not fired. */
export async function openTimers(db: Db, executions: readonly string[]): Promise<OpenTimer[]> {
  const { rows } = await sql<OpenTimer>`/* prepared: open-timers */
    SELECT execution_id, timer, fire_at, fire_at <= clock_timestamp() AS due FROM execution_timers
    WHERE execution_id = ANY (${executions}::text[]) AND fired_at IS NULL ORDER BY fire_at`.execute(db);
  return rows;
}

/** Returns the open waits of these executions. */
export async function openWaits(
  db: Db,
  executions: readonly string[],
): Promise<{ readonly executionId: string; readonly wait: string }[]> {
  const { rows } = await sql<{ executionId: string; wait: string }>`/* prepared: open-waits */
    SELECT execution_id, wait FROM execution_waits WHERE execution_id = ANY (${executions}::text[])`.execute(db);
  return rows;
}
