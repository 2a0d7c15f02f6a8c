import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { storedTrace, type TraceContext } from '#schemas/tracing/trace-context.ts';
import { DECISION } from '../approvals/decision-type.ts';
import type { CloudEvent } from '../engine/contract/cloud-event.ts';
import type { WorkflowError } from '../engine/contract/workflow-error.ts';
import type { JsonValue } from '../json-value.ts';
import { positionOfResumed } from './queue-position.ts';

/** How long an event is stored for waits that begin later. */
export const EVENT_RETENTION_HOURS = 24;

/**
 * Returns the type that an event for a single execution is routed as, in place of its own. Callers and workflows cannot
 * send types with this prefix.
 */
export function signalType(executionId: string): string {
  return `${SIGNAL}${executionId}`;
}

const SIGNAL = 'trapline.signal:';

/**
 * SQL condition for a wait `w`: a step that needs an approval receives only decisions. The interpreter decides which
 * other events match.
 */
const TAKES_SIGNALS = sql`NOT starts_with(coalesce(w.event_types[1], ''), ${DECISION})`;

export interface EventRouting {
  /** Length of the causal chain behind the event. */
  readonly causation?: number | undefined;
  readonly enforced?: boolean | undefined;
  /** Trace context that executions started by the event continue. */
  readonly trace?: TraceContext | undefined;
  /** Routing type, if it differs from the type of the event. */
  readonly routedAs?: string | undefined;
}

/**
 * Inserts an event. Returns false for a duplicate: same source and id, among the same recipients. With `enforced`,
 * rejects if the quota of its owner is exhausted (see `exceededQuota`). Otherwise the event is only counted.
 */
export async function insertEvent(
  db: Db,
  event: CloudEvent,
  lane: string | null,
  { causation = 0, enforced = false, routedAs = event.type, trace }: EventRouting = {},
): Promise<boolean> {
  const { rows } = await sql`/* prepared: insert-event */
    INSERT INTO execution_events (source, event_id, type, lane, causation, event, enforced, trace)
    VALUES (${event.source}, ${event.id}, ${routedAs}, ${lane}::uuid, ${causation}::smallint, ${JSON.stringify(event)}::json, ${enforced}::boolean, ${storedTrace(trace)})
    ON CONFLICT DO NOTHING RETURNING seq`.execute(db);
  return rows.length > 0;
}

/** An execution that received a signal and was made pending if it waited. */
export interface Signalled {
  readonly id: string;
  /** True if it is leased, so its worker must be notified. Otherwise it was made pending. */
  readonly held: boolean;
}

/**
 * SQL parts shared by all routing. Input: `fresh`, one row (execution, kind, target, attempt, event_seq, payload) per
 * signal to insert. Output: `signalled`. `lease_until` is cleared even though a waiting execution has no lease:
 * constraints are checked on the row version that the statement first saw, which may have been leased.
 */
export const DELIVERY = sql`
  locked AS MATERIALIZED (
    SELECT id, status, priority FROM executions
    WHERE id IN (SELECT execution_id FROM fresh) AND completed_at IS NULL ORDER BY id FOR NO KEY UPDATE
  ),
  signals AS (
    INSERT INTO execution_signals (execution_id, kind, target, attempt, event_seq, payload)
    SELECT fresh.execution_id, fresh.kind, fresh.target, fresh.attempt, fresh.event_seq, fresh.payload
    FROM fresh JOIN locked ON locked.id = fresh.execution_id
    ORDER BY fresh.event_seq
    ON CONFLICT DO NOTHING RETURNING execution_id
  ),
  signalled AS (SELECT DISTINCT locked.id, locked.status, locked.priority FROM locked JOIN signals ON signals.execution_id = locked.id),
  woken AS (
    UPDATE executions
    SET status = 'pending', lease_until = NULL, wake_at = NULL, queued_at = clock_timestamp(), turn = ${positionOfResumed(sql`signalled.priority`)}
    FROM signalled WHERE executions.id = signalled.id AND signalled.status = 'waiting' AND executions.cancel_requested_at IS NULL
      AND executions.suspended_at IS NULL
  )`;
const deliver = sql`${DELIVERY}
  SELECT id, status IN ('running', 'finalizing') AS held FROM signalled`;

/**
 * Routes received events to matching waits. Events for one execution reach only its waits. Locks the row of the
 * receiving execution first; see `advanceExecutions`.
 */
export async function routeEvents(db: Db): Promise<Signalled[]> {
  const { rows } = await sql<Signalled>`/* prepared: route-events */
    WITH events AS (
      UPDATE execution_events SET routed = true
      WHERE seq = ANY (ARRAY(SELECT seq FROM execution_events WHERE NOT routed ORDER BY seq LIMIT 200 FOR UPDATE SKIP LOCKED))
      RETURNING seq, type, lane, event
    ),
    fresh AS (
      SELECT w.execution_id, 'event' AS kind, w.wait AS target, NULL::int AS attempt, events.seq AS event_seq, events.event AS payload
      FROM events JOIN execution_waits AS w ON w.event_types && ARRAY[events.type, '*']
      WHERE (events.lane IS NULL OR events.lane = w.lane) AND NOT starts_with(events.type, ${SIGNAL})
        AND ${notConsumed('w.execution_id', 'events.seq')}
      UNION ALL
      SELECT w.execution_id, 'event', w.wait, NULL, events.seq, events.event
      FROM events JOIN execution_waits AS w ON w.execution_id = substr(events.type, ${SIGNAL.length + 1}::int)
      WHERE starts_with(events.type, ${SIGNAL}) AND ${TAKES_SIGNALS} AND ${notConsumed('w.execution_id', 'events.seq')}
    ),
    ${deliver}`.execute(db);
  return rows;
}

/** Matches stored events against new waits: events that arrived after the execution was accepted. */
export async function searchEvents(db: Db): Promise<Signalled[]> {
  const { rows } = await sql<Signalled>`/* prepared: search-events */
    WITH waits AS (
      UPDATE execution_waits AS w SET searched = true
      FROM (SELECT execution_id, wait FROM execution_waits WHERE NOT searched LIMIT 200 FOR UPDATE SKIP LOCKED) AS unsearched
      WHERE w.execution_id = unsearched.execution_id AND w.wait = unsearched.wait
      RETURNING w.execution_id, w.wait, w.event_types, w.lane
    ),
    fresh AS (
      SELECT w.execution_id, 'event' AS kind, w.wait AS target, NULL::int AS attempt, e.seq AS event_seq, e.event AS payload
      FROM waits AS w JOIN executions AS x ON x.id = w.execution_id
      JOIN execution_events AS e ON (e.type = ANY (w.event_types) OR '*' = ANY (w.event_types))
        AND (e.lane IS NULL OR e.lane = w.lane) AND e.received_at >= x.created_at AND NOT starts_with(e.type, ${SIGNAL})
      WHERE ${notConsumed('w.execution_id', 'e.seq')}
      UNION ALL
      SELECT w.execution_id, 'event', w.wait, NULL, e.seq, e.event
      FROM waits AS w JOIN execution_events AS e ON e.type = ${SIGNAL} || w.execution_id
      WHERE ${TAKES_SIGNALS} AND ${notConsumed('w.execution_id', 'e.seq')}
    ),
    ${deliver}`.execute(db);
  return rows;
}

/** Delivers the outcomes of awaited children to their parents. */
export async function notifyParents(db: Db): Promise<Signalled[]> {
  const { rows } = await sql<Signalled>`/* prepared: notify-parents */
    WITH ended AS (
      UPDATE executions SET parent_told = true
      WHERE id = ANY (ARRAY(
        SELECT id FROM executions WHERE awaited AND NOT parent_told AND completed_at IS NOT NULL ORDER BY id LIMIT 200 FOR UPDATE SKIP LOCKED
      ))
      RETURNING id, parent_id, parent_step, parent_attempt
    ),
    fresh AS (
      SELECT parent_id AS execution_id, 'child' AS kind, parent_step AS target, parent_attempt AS attempt, NULL::bigint AS event_seq,
        json_build_object('child', id) AS payload
      FROM ended
    ),
    ${deliver}`.execute(db);
  return rows;
}

function notConsumed(execution: string, event: string) {
  return sql`NOT EXISTS (
    SELECT FROM execution_signals AS s
    WHERE s.execution_id = ${sql.ref(execution)} AND s.event_seq = ${sql.ref(event)} AND s.consumed
  )`;
}

export interface PendingSignal {
  readonly id: number;
  readonly executionId: string;
  readonly kind: 'event' | 'child';
  readonly target: string;
  readonly attempt: number | null;
  readonly eventSeq: number | null;
  readonly payload: JsonValue;
}

/** Returns the undelivered signals of these executions, oldest first. */
export async function pendingSignals(db: Db, executions: readonly string[]): Promise<PendingSignal[]> {
  const { rows } = await sql<PendingSignal>`/* prepared: pending-signals */
    SELECT id, execution_id, kind, target, attempt, event_seq, payload FROM execution_signals
    WHERE execution_id = ANY (${executions}::text[]) AND NOT delivered ORDER BY id`.execute(db);
  return rows;
}

export interface ChildOutcome {
  readonly id: string;
  readonly status: 'completed' | 'failed' | 'cancelled' | 'rejected';
  readonly result: JsonValue | null;
  readonly resultFile: string | null;
  readonly error: WorkflowError | null;
}

export async function childOutcome(db: Db, id: string): Promise<ChildOutcome | undefined> {
  const { rows } = await sql<ChildOutcome>`
    SELECT id, status, result, result_file, error FROM executions WHERE id = ${id} AND completed_at IS NOT NULL`.execute(
    db,
  );
  return rows[0];
}
