import { type ColumnType, type Selectable, sql } from 'kysely';
import type { CloudEvent } from '#api/executions/engine/contract/cloud-event.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    triggerInbox: TriggerInboxTable;
    triggerGathered: TriggerGatheredTable;
  }
}

/** Events that triggers must still process. The database inserts them when they arrive. */
export interface TriggerInboxTable {
  triggerId: string;
  eventSeq: number;
}

/** Events collected so far for triggers that need several. */
export interface TriggerGatheredTable {
  triggerId: string;
  /** Index of the filter that the event matched. */
  filter: number;
  eventSeq: number;
  /** Correlation values of the event. */
  learned: ColumnType<Readonly<Record<string, JsonValue>>, string, never>;
  event: ColumnType<CloudEvent, string, never>;
  /** Length of the causal chain behind the event; see `MAX_CAUSATION`. */
  causation: ColumnType<number, number, never>;
}

/** A collected event without its content, because there may be many. */
export type GatheredEvent = Pick<Selectable<TriggerGatheredTable>, 'filter' | 'eventSeq' | 'learned'>;

export interface InboxItem {
  readonly triggerId: string;
  readonly eventSeq: number;
  readonly event: CloudEvent;
  readonly causation: number;
  /** See `storedTrace`. */
  readonly trace: string | null;
}

/**
 * Locks the oldest events that no other process has locked, until the transaction ends. Deletes entries whose event has
 * expired.
 */
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

/** Returns the collected events, oldest first. */
export function gatheredEvents(db: Db, triggerId: string): Promise<GatheredEvent[]> {
  return db
    .selectFrom('triggerGathered')
    .select(['filter', 'eventSeq', 'learned'])
    .where('triggerId', '=', triggerId)
    .orderBy('eventSeq')
    .orderBy('filter')
    .execute();
}

/** Returns the contents of collected events, each for its first filter, in order of their sequence numbers. */
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

/** Keeps only the newest `most` events of a filter. */
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
