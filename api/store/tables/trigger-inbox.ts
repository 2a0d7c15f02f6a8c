import { type ColumnType, type Selectable, sql } from 'kysely';
import type { CloudEvent } from '../../executions/engine/port.ts';
import type { JsonValue } from '../../executions/json-value.ts';
import type { Db } from '../database.ts';

/** Events that triggers are still to look at; noted by the database as they come in. */
export interface TriggerInboxTable {
  triggerId: string;
  eventSeq: number;
}

/** Of triggers that need several events: those that are there. */
export interface TriggerGatheredTable {
  triggerId: string;
  /** Which of its filters the event passed, from 0. */
  filter: number;
  eventSeq: number;
  /** What the event taught about correlations. */
  learned: ColumnType<Readonly<Record<string, JsonValue>>, string, never>;
  event: ColumnType<CloudEvent, string, never>;
  /** Of the event; see `DEEPEST_CAUSATION`. */
  causation: ColumnType<number, number, never>;
}

export type GatheredEvent = Selectable<TriggerGatheredTable>;

export interface InboxItem {
  readonly triggerId: string;
  readonly eventSeq: number;
  readonly event: CloudEvent;
  readonly causation: number;
}

/** The oldest that nobody else is at, for the length of the transaction. Events that are too old to be kept are gone. */
export async function claimInbox(transaction: Db, most: number): Promise<InboxItem[]> {
  const { rows } = await sql<InboxItem>`
    WITH claimed AS MATERIALIZED (
      SELECT trigger_id, event_seq FROM trigger_inbox ORDER BY event_seq, trigger_id LIMIT ${most} FOR UPDATE SKIP LOCKED
    ),
    gone AS (
      DELETE FROM trigger_inbox AS i USING claimed
      WHERE i.trigger_id = claimed.trigger_id AND i.event_seq = claimed.event_seq
        AND NOT EXISTS (SELECT FROM execution_events AS e WHERE e.seq = claimed.event_seq)
    )
    SELECT claimed.trigger_id, claimed.event_seq, e.event, e.causation FROM claimed JOIN execution_events AS e ON e.seq = claimed.event_seq
    ORDER BY claimed.event_seq, claimed.trigger_id`.execute(transaction);
  return rows;
}

export async function leaveInbox(
  db: Db,
  { triggerId, eventSeq }: Pick<InboxItem, 'triggerId' | 'eventSeq'>,
): Promise<void> {
  await db.deleteFrom('triggerInbox').where('triggerId', '=', triggerId).where('eventSeq', '=', eventSeq).execute();
}

export function gatheredEvents(db: Db, triggerId: string): Promise<GatheredEvent[]> {
  return db
    .selectFrom('triggerGathered')
    .selectAll()
    .where('triggerId', '=', triggerId)
    .orderBy('eventSeq')
    .orderBy('filter')
    .execute();
}

export async function gatherEvent(
  db: Db,
  { triggerId, eventSeq, event, causation }: InboxItem,
  filter: number,
  learned: Readonly<Record<string, JsonValue>>,
): Promise<void> {
  await db
    .insertInto('triggerGathered')
    .values({ triggerId, eventSeq, filter, learned: JSON.stringify(learned), event: JSON.stringify(event), causation })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function dropGathered(db: Db, triggerId: string, seqs: readonly number[]): Promise<void> {
  await db
    .deleteFrom('triggerGathered')
    .where('triggerId', '=', triggerId)
    .where('eventSeq', 'in', [...seqs])
    .execute();
}
