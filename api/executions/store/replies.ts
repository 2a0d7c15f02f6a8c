import { sql } from 'kysely';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import type { CloudEvent } from '../engine/contract/cloud-event.ts';
import { insertEvent, signalType } from './signals.ts';

/**
 * `conflict`: the id belongs to another event. `ended`: the execution accepts no more events. `unknown`: the execution
 * does not exist.
 */
export type SignalOutcome = 'accepted' | 'repeated' | 'conflict' | 'ended' | 'unknown';

/**
 * Inserts an event for one execution, and records that it can have a reply. Replies are found by the id of the event,
 * so an execution accepts an id from one source only.
 */
export function insertSignal(
  database: Database,
  executionId: string,
  event: CloudEvent,
  causation?: number,
): Promise<SignalOutcome> {
  const { id, source } = event;
  return inTransaction(database, async (transaction) => {
    const { rows } = await sql<{ lane: string }>`
      WITH noted AS (
        INSERT INTO execution_replies (execution_id, event_id, source)
        SELECT id, ${id}, ${source} FROM executions WHERE id = ${executionId} AND completed_at IS NULL
        ON CONFLICT DO NOTHING RETURNING execution_id
      )
      SELECT executions.lane FROM noted JOIN executions ON executions.id = noted.execution_id`.execute(transaction);
    const [noted] = rows;
    if (noted === undefined) return whyNotNoted(transaction, executionId, event);
    const routedAs = signalType(executionId);
    if (await insertEvent(transaction, event, noted.lane, { causation, enforced: true, routedAs })) return 'accepted';
    await sql`DELETE FROM execution_replies WHERE execution_id = ${executionId} AND event_id = ${id}`.execute(
      transaction,
    );
    return 'conflict';
  });
}

async function whyNotNoted(db: Db, executionId: string, { id, source }: CloudEvent): Promise<SignalOutcome> {
  const { rows } = await sql<{ source: string | null }>`
    SELECT r.source FROM executions AS x LEFT JOIN execution_replies AS r ON r.execution_id = x.id AND r.event_id = ${id}
    WHERE x.id = ${executionId}`.execute(db);
  const [found] = rows;
  if (found === undefined) return 'unknown';
  if (found.source === null) return 'ended';
  return found.source === source ? 'repeated' : 'conflict';
}

/** State of an event for one execution. */
export interface SignalState {
  readonly status: ExecutionStatus;
  readonly hasEnded: boolean;
  readonly isReplied: boolean;
  /** Null if there is no reply, or it is too large. */
  readonly reply: CloudEvent | null;
}

/** Returns undefined if the execution has no event with this id. */
export async function findSignalState(db: Db, executionId: string, eventId: string): Promise<SignalState | undefined> {
  const { rows } = await sql<SignalState>`/* prepared: signal-state */
    SELECT x.status, x.completed_at IS NOT NULL AS has_ended, r.replied_at IS NOT NULL AS is_replied, r.event AS reply
    FROM executions AS x JOIN execution_replies AS r ON r.execution_id = x.id
    WHERE x.id = ${executionId} AND r.event_id = ${eventId}`.execute(db);
  return rows[0];
}

export interface ReplyWanted {
  readonly executionId: string;
  readonly eventId: string;
}

/**
 * Returns the indexes of requests that are settled: those with a reply, or whose execution has ended or no longer
 * exists.
 */
export async function settledReplies(db: Db, asked: readonly { readonly wanted: ReplyWanted }[]): Promise<number[]> {
  if (asked.length === 0) return [];
  const wanted = asked.map((one) => one.wanted);
  const { rows } = await sql<{ index: number }>`/* prepared: settled-replies */
    SELECT (wanted.n - 1)::int AS index
    FROM unnest(${wanted.map(({ executionId }) => executionId)}::text[], ${wanted.map(({ eventId }) => eventId)}::text[])
      WITH ORDINALITY AS wanted (id, event_id, n)
    LEFT JOIN executions AS e ON e.id = wanted.id
    WHERE e.id IS NULL OR e.completed_at IS NOT NULL
      OR EXISTS (SELECT FROM execution_replies AS r WHERE r.execution_id = wanted.id AND r.event_id = wanted.event_id AND r.replied_at IS NOT NULL)`.execute(
    db,
  );
  return rows.map(({ index }) => index);
}
