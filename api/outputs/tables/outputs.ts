import { type ColumnType, type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { OutputFilter } from '#schemas/api/outputs.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    outputs: OutputsTable;
  }
}

/** A receiver of detections, its position in the journal, and its lease. */
export interface OutputsTable {
  id: string;
  name: string;
  type: string;
  enabled: boolean;
  settings: ColumnType<Record<string, unknown>, string, string>;
  filter: ColumnType<OutputFilter, string, string>;
  /** Sealed JSON; null without secrets. */
  secrets: Buffer | null;
  secretNames: string[];
  /** Increases with every change of the definition. */
  version: Generated<number>;
  /** Number of the last message that was delivered, refused or filtered out. */
  cursor: number;
  delivered: Generated<number>;
  /** Failed attempts of the next message. */
  attempts: Generated<number>;
  nextAt: Generated<Date>;
  /** Fencing token: it increases with every claim, and writes of a worker with an older one are rejected. */
  epoch: Generated<number>;
  leaseUntil: Generated<Date | null>;
  lastError: Generated<string | null>;
  lastErrorAt: Generated<Date | null>;
  lastDeliveredAt: Generated<Date | null>;
  createdAt: Generated<Date>;
  createdBy: string;
  updatedAt: Generated<Date>;
}
export type OutputRow = Selectable<OutputsTable>;

/** Identifies a claim. */
export interface OutputClaim {
  readonly id: string;
  readonly epoch: number;
}

export interface NewOutputRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly settings: object;
  readonly filter: OutputFilter;
  readonly secrets: Buffer | null;
  readonly secretNames: readonly string[];
  readonly createdBy: string;
}

/** Adds an output. It starts with messages from now on. */
export function insertOutput(db: Db, row: NewOutputRow): Promise<OutputRow> {
  return db
    .insertInto('outputs')
    .values({
      ...row,
      settings: JSON.stringify(row.settings),
      filter: JSON.stringify(row.filter),
      secretNames: [...row.secretNames],
      cursor: sql<number>`(SELECT coalesce(max(seq), 0) FROM output_messages)`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function listOutputs(db: Db): Promise<OutputRow[]> {
  return db.selectFrom('outputs').selectAll().orderBy('name').execute();
}

export function findOutput(db: Db, id: string): Promise<OutputRow | undefined> {
  return db.selectFrom('outputs').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function anyOutput(db: Db): Promise<boolean> {
  return (await db.selectFrom('outputs').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Returns the ids of enabled outputs that subscribe to messages about cases for this cause. */
export async function outputsForCases(db: Db, cause: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM outputs WHERE enabled AND filter -> 'cases' @> ${JSON.stringify([cause])}::jsonb ORDER BY id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Serialises transactions that create or delete outputs. */
export async function lockOutputs(transaction: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('outputs', 0))`.execute(transaction);
}

/** Returns an output, locked until the end of the transaction. */
export function lockOutput(transaction: Db, id: string): Promise<OutputRow | undefined> {
  return transaction.selectFrom('outputs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/**
 * Replaces the definition. A worker that delivers with the old one loses its claim, and the next attempt is due
 * immediately.
 */
export function replaceOutput(
  db: Db,
  id: string,
  {
    settings,
    filter,
    secretNames,
    ...row
  }: Pick<NewOutputRow, 'name' | 'enabled' | 'settings' | 'filter' | 'secrets' | 'secretNames'>,
): Promise<OutputRow> {
  return db
    .updateTable('outputs')
    .set(({ eb, ref }) => ({
      ...row,
      settings: JSON.stringify(settings),
      filter: JSON.stringify(filter),
      secretNames: [...secretNames],
      version: eb(ref('version'), '+', 1),
      epoch: eb(ref('epoch'), '+', 1),
      leaseUntil: null,
      attempts: 0,
      nextAt: sql<Date>`now()`,
      updatedAt: sql<Date>`now()`,
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteOutput(db: Db, id: string): Promise<void> {
  await db.deleteFrom('outputs').where('id', '=', id).execute();
}

/** Claims up to `limit` outputs that are due, have waiting messages and are not leased. */
export async function claimOutputs(db: Db, limit: number, leaseMs: number): Promise<OutputRow[]> {
  const { rows } = await sql<OutputRow>`
    UPDATE outputs SET epoch = epoch + 1, lease_until = now() + ${leaseMs} * interval '1 millisecond'
    WHERE id IN (
      SELECT id FROM outputs AS o
      WHERE enabled AND next_at <= now()::timestamptz(3) AND (lease_until IS NULL OR lease_until < now())
        AND (cursor < (SELECT max(seq) FROM output_messages)
          OR EXISTS (SELECT FROM output_dead_letters AS d WHERE d.output_id = o.id AND d.state = 'waiting'))
      ORDER BY next_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    RETURNING *`.execute(db);
  return rows;
}

/** Moves the cursor and extends the lease. False: another worker has claimed the output. */
export async function advanceOutput(
  db: Db,
  { id, epoch }: OutputClaim,
  { cursor, delivered, leaseMs }: { readonly cursor: number; readonly delivered: number; readonly leaseMs: number },
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE outputs
    SET cursor = greatest(cursor, ${cursor}::bigint), delivered = delivered + ${delivered}::bigint,
        attempts = CASE WHEN ${delivered}::bigint > 0 OR ${cursor}::bigint > cursor THEN 0 ELSE attempts END,
        last_delivered_at = CASE WHEN ${delivered}::bigint > 0 THEN now() ELSE last_delivered_at END,
        lease_until = now() + ${leaseMs} * interval '1 millisecond'
    WHERE id = ${id} AND epoch = ${epoch}::bigint RETURNING id`.execute(db);
  return rows.length > 0;
}

/** Releases the lease without recording a failure. */
export async function releaseOutput(db: Db, { id, epoch }: OutputClaim): Promise<void> {
  await sql`UPDATE outputs SET lease_until = NULL WHERE id = ${id} AND epoch = ${epoch}::bigint`.execute(db);
}

/** Releases the lease after a failure. The next attempt is due after `delayMs`. */
export async function postponeOutput(
  db: Db,
  { id, epoch }: OutputClaim,
  { error, delayMs }: { readonly error: string; readonly delayMs: number },
): Promise<void> {
  await sql`
    UPDATE outputs
    SET lease_until = NULL, attempts = attempts + 1, last_error = ${error}, last_error_at = now(),
        next_at = now() + ${delayMs} * interval '1 millisecond'
    WHERE id = ${id} AND epoch = ${epoch}::bigint`.execute(db);
}

/** Makes the next attempt due immediately. */
export async function hurryOutput(db: Db, id: string): Promise<void> {
  await sql`UPDATE outputs SET next_at = now() WHERE id = ${id} AND next_at > now()`.execute(db);
}
