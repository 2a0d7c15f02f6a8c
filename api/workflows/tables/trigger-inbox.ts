import { type ColumnType, type Selectable, sql } from 'kysely';
import type { CloudEvent } from '#api/executions/engine/port.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    triggerInbox: TriggerInboxTable;
    triggerGathered: TriggerGatheredTable;
  }
}

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
  /** Of the event; see `MAX_CAUSATION`. */
  causation: ColumnType<number, number, never>;
}

/** An event that was gathered, without what is in it: there may be many of them. */
export type GatheredEvent = Pick<Selectable<TriggerGatheredTable>, 'filter' | 'eventSeq' | 'learned'>;

export interface InboxItem {
  readonly triggerId: string;
  readonly eventSeq: number;
  readonly event: CloudEvent;
  readonly causation: number;
  /** See `storedTrace`. */
  readonly trace: string | null;
}

/** The oldest that no other process has locked, for the length of the transaction. Events that are too old to be kept are deleted. */
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
    SELECT claimed.trigger_id, claimed.event_seq, e.event, e.causation, e.trace FROM claimed JOIN execution_events AS e ON e.seq = claimed.event_seq
    ORDER BY claimed.event_seq, claimed.trigger_id`.execute(transaction);
  return rows;
}

export async function leaveInbox(
  db: Db,
  { triggerId, eventSeq }: Pick<InboxItem, 'triggerId' | 'eventSeq'>,
): Promise<void> {
  await db.deleteFrom('triggerInbox').where('triggerId', '=', triggerId).where('eventSeq', '=', eventSeq).execute();
}

/** The oldest first. */
export function gatheredEvents(db: Db, triggerId: string): Promise<GatheredEvent[]> {
  return db
    .selectFrom('triggerGathered')
    .select(['filter', 'eventSeq', 'learned'])
    .where('triggerId', '=', triggerId)
    .orderBy('eventSeq')
    .orderBy('filter')
    .execute();
}

/** What is in the events that were gathered for the first of their filters, in the order of their numbers. */
export function contentOfGathered(
  db: Db,
  triggerId: string,
  gathered: readonly GatheredEvent[],
): Promise<Pick<InboxItem, 'eventSeq' | 'event' | 'causation'>[]> {
  return db
    .selectFrom('triggerGathered')
    .select(['eventSeq', 'event', 'causation'])
    .distinctOn('eventSeq')
    .where('triggerId', '=', triggerId)
    .where(
      'eventSeq',
      'in',
      gathered.map(({ eventSeq }) => eventSeq),
    )
    .orderBy('eventSeq')
    .execute();
}

/** Leaves the newest `most` of those that passed a filter. */
export async function trimGathered(db: Db, triggerId: string, filter: number, most: number): Promise<void> {
  await sql`
    DELETE FROM trigger_gathered WHERE trigger_id = ${triggerId} AND filter = ${filter} AND event_seq <= (
      SELECT event_seq FROM trigger_gathered WHERE trigger_id = ${triggerId} AND filter = ${filter}
      ORDER BY event_seq DESC OFFSET ${most} LIMIT 1
    )`.execute(db);
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
