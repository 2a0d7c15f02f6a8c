import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    recoveryCodes: RecoveryCodesTable;
  }
}

/** Single-use codes that replace a lost second factor. */
export interface RecoveryCodesTable {
  userId: string;
  /** See `recoveryCodeHash`. */
  codeHash: Buffer;
  createdAt: Generated<Date>;
  usedAt: Generated<Date | null>;
}

/** Stores new codes, which replace all previous ones. */
export async function replaceRecoveryCodes(db: Db, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await deleteRecoveryCodes(db, userId);
  await db
    .insertInto('recoveryCodes')
    .values(hashes.map((codeHash) => ({ userId, codeHash })))
    .execute();
}

/** Consumes a code. False if the user has no such code, or it was used. */
export async function takeRecoveryCode(db: Db, userId: string, codeHash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recoveryCodes')
    .set({ usedAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Returns the number of unused codes. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function deleteRecoveryCodes(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
}
