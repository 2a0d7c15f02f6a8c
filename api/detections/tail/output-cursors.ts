import { type ColumnType, type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    outputCursors: OutputCursorsTable;
  }
}

/** The position of each output. The process that holds the row lock serves the output. */
export interface OutputCursorsTable {
  name: string;
  state: ColumnType<unknown, string, string>;
  updatedAt: Generated<Date>;
}

/** Creates the cursor if it does not exist. */
export async function ensureCursor(db: Db, name: string, initial: unknown): Promise<void> {
  await db
    .insertInto('outputCursors')
    .values({ name, state: JSON.stringify(initial) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/**
 * Locks the cursor until the end of the transaction. Undefined if another process holds the lock, or if the cursor does
 * not exist.
 */
export async function claimCursor(transaction: Db, name: string): Promise<{ readonly state: unknown } | undefined> {
  return transaction
    .selectFrom('outputCursors')
    .select('state')
    .where('name', '=', name)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Stores the new state of a locked cursor. */
export async function moveCursor(transaction: Db, name: string, state: unknown): Promise<void> {
  await transaction
    .updateTable('outputCursors')
    .set({ state: JSON.stringify(state), updatedAt: sql`now()` })
    .where('name', '=', name)
    .execute();
}
