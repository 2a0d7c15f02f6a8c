import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    outputDeadLetters: OutputDeadLettersTable;
  }
}

/**
 * Messages that a receiver refused permanently. States: `refused` → `waiting` (an administrator requested a retry) →
 * `delivered`, or `refused` again.
 */
export interface OutputDeadLettersTable {
  id: Generated<number>;
  outputId: string;
  seq: number;
  detectionId: string;
  revision: number;
  cause: 'opened' | 'grown' | 'closed';
  /** JSON text with all digits. */
  detection: string;
  toldAt: Date;
  reason: string;
  state: Generated<'refused' | 'waiting' | 'delivered'>;
  at: Generated<Date>;
}
export type OutputDeadLetter = Selectable<OutputDeadLettersTable>;

export interface Refusal {
  readonly outputId: string;
  readonly seq: number;
  readonly detectionId: string;
  readonly revision: number;
  readonly cause: OutputDeadLetter['cause'];
  readonly detection: string;
  readonly toldAt: Date;
  readonly reason: string;
}

/** Stores a refused message. A resent message that is refused again becomes `refused` again. */
export async function insertRefusal(db: Db, refusal: Refusal): Promise<void> {
  await db
    .insertInto('outputDeadLetters')
    .values(refusal)
    .onConflict((conflict) =>
      conflict
        .columns(['outputId', 'seq'])
        .doUpdateSet({ reason: refusal.reason, state: 'refused', at: sql<Date>`now()` }),
    )
    .execute();
}

/** Returns messages to resend, in their original order. */
export function waitingDeadLetters(db: Db, outputId: string, limit: number): Promise<OutputDeadLetter[]> {
  return db
    .selectFrom('outputDeadLetters')
    .selectAll()
    .where('outputId', '=', outputId)
    .where('state', '=', 'waiting')
    .orderBy('seq')
    .limit(limit)
    .execute();
}

export async function settleDeadLetter(
  db: Db,
  id: number,
  state: 'refused' | 'delivered',
  reason: string | undefined,
): Promise<void> {
  await db
    .updateTable('outputDeadLetters')
    .set({ state, at: sql<Date>`now()`, ...(reason === undefined ? {} : { reason }) })
    .where('id', '=', id)
    .execute();
}

/** Requests a retry of refused messages: of the given ids, or of all. Resolves to their number. */
export async function resendDeadLetters(db: Db, outputId: string, ids: readonly number[] | undefined): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('outputDeadLetters')
    .set({ state: 'waiting', at: sql<Date>`now()` })
    .where('outputId', '=', outputId)
    .where('state', '=', 'refused')
    .$if(ids !== undefined, (query) => query.where('id', '=', sql<number>`ANY(${[...(ids ?? [])]}::bigint[])`))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Lists dead letters, newest first; only those before an id if one is given. */
export function listDeadLettersOf(
  db: Db,
  outputId: string,
  { limit, before }: { readonly limit: number; readonly before?: number | undefined },
): Promise<OutputDeadLetter[]> {
  return db
    .selectFrom('outputDeadLetters')
    .selectAll()
    .where('outputId', '=', outputId)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Deletes up to `limit` dead letters whose last state change is old. */
export async function deleteOldDeadLetters(
  db: Db,
  keep: { readonly deliveredDays: number; readonly refusedDays: number },
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM output_dead_letters WHERE id IN (
      SELECT id FROM output_dead_letters
      WHERE (state = 'delivered' AND at < now() - ${keep.deliveredDays} * interval '1 day')
         OR (state = 'refused' AND at < now() - ${keep.refusedDays} * interval '1 day')
      LIMIT ${limit}
    )`.execute(db);
  return Number(numAffectedRows);
}
