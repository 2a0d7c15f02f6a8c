import { type ColumnType, type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    outputCursors: OutputCursorsTable;
  }
}

/** How far an output of detections has come. Who holds the row's lock is the one process that serves the output. */
export interface OutputCursorsTable {
  name: string;
  state: ColumnType<unknown, string, string>;
  updatedAt: Generated<Date>;
}

/** Makes the cursor when it is not there. */
export async function ensureCursor(db: Db, name: string, initial: unknown): Promise<void> {
  await db
    .insertInto('outputCursors')
    .values({ name, state: JSON.stringify(initial) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** Takes the cursor for the length of the transaction; undefined when another process has it, or when it does not exist. */
export async function claimCursor(transaction: Db, name: string): Promise<{ readonly state: unknown } | undefined> {
  return transaction
    .selectFrom('outputCursors')
    .select('state')
    .where('name', '=', name)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Moves a cursor that was claimed. */
export async function moveCursor(transaction: Db, name: string, state: unknown): Promise<void> {
  await transaction
    .updateTable('outputCursors')
    .set({ state: JSON.stringify(state), updatedAt: sql`now()` })
    .where('name', '=', name)
    .execute();
}
