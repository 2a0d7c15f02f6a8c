import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { turnOfWoken } from './turn.ts';

/** What there is to do for workers, as one question: an idle engine asks it once a second and nothing else. */
export interface Attention {
  readonly pending: boolean;
  /** Somebody has one in hand. */
  readonly held: boolean;
  readonly leaseEnded: boolean;
  readonly toCancel: boolean;
  readonly toRoute: boolean;
  readonly toSearch: boolean;
  readonly toTell: boolean;
  /** ms until the first timer of a waiting execution is due, negative when it is; null: there is none. */
  readonly nextWakeMs: number | null;
}

export async function needsAttention(db: Db): Promise<Attention> {
  const { rows } = await sql<Attention>`/* prepared: needs-attention */
    SELECT EXISTS (SELECT FROM executions WHERE status = 'pending') AS pending,
      EXISTS (SELECT FROM executions WHERE status IN ('running', 'finalizing')) AS held,
      EXISTS (SELECT FROM executions WHERE status IN ('running', 'finalizing') AND lease_until < now()) AS lease_ended,
      EXISTS (SELECT FROM executions WHERE status = 'waiting' AND cancel_requested_at IS NOT NULL) AS to_cancel,
      EXISTS (SELECT FROM execution_events WHERE NOT routed) AS to_route,
      EXISTS (SELECT FROM execution_waits WHERE NOT searched) AS to_search,
      EXISTS (SELECT FROM executions WHERE awaited AND NOT parent_told AND completed_at IS NOT NULL) AS to_tell,
      (SELECT extract(epoch FROM wake_at - now())::float8 * 1000 FROM executions
        WHERE status = 'waiting' AND wake_at IS NOT NULL ORDER BY wake_at LIMIT 1) AS next_wake_ms`.execute(db);
  return rows[0] as Attention;
}

/** Makes those pending whose time has come. Resolves to how many there were; there may be more. */
export async function wakeDue(db: Db): Promise<number> {
  const { rows } = await sql`/* prepared: wake-due */
    WITH due AS (
      SELECT id, lane, priority, wake_at FROM executions
      WHERE status = 'waiting' AND wake_at <= clock_timestamp() ORDER BY wake_at LIMIT 500 FOR NO KEY UPDATE SKIP LOCKED
    ),
    turns AS (
      SELECT due.id, ${turnOfWoken(sql`due.priority`, sql`row_number() OVER (PARTITION BY due.lane, due.priority ORDER BY due.wake_at) - 1`)} AS turn
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
  /** By the database's clock. */
  readonly due: boolean;
}

/** Timers of these executions that have not fired. */
export async function openTimers(db: Db, executions: readonly string[]): Promise<OpenTimer[]> {
  const { rows } = await sql<OpenTimer>`/* prepared: open-timers */
    SELECT execution_id, timer, fire_at, fire_at <= clock_timestamp() AS due FROM execution_timers
    WHERE execution_id = ANY (${executions}::text[]) AND fired_at IS NULL ORDER BY fire_at`.execute(db);
  return rows;
}

/** What these executions wait for. */
export async function openWaits(
  db: Db,
  executions: readonly string[],
): Promise<{ readonly executionId: string; readonly wait: string }[]> {
  const { rows } = await sql<{ executionId: string; wait: string }>`/* prepared: open-waits */
    SELECT execution_id, wait FROM execution_waits WHERE execution_id = ANY (${executions}::text[])`.execute(db);
  return rows;
}
