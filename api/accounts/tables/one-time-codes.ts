import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { WindowLimit } from '#api/shared-state/port.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    oneTimeCodes: OneTimeCodesTable;
  }
}

/** The last code that was sent to an address. A new code replaces it. */
export interface OneTimeCodesTable {
  /** Lower case. */
  email: string;
  /** HMAC-SHA-256 of address and code. A plain hash of six digits could be found by trying all codes. */
  codeHash: Buffer;
  attempts: Generated<number>;
  createdAt: Generated<Date>;
  expiresAt: Date;
}

export type OneTimeCode = Selectable<OneTimeCodesTable>;

/** Limit on attempts to enter a one-time code, within its lifetime. */
export const CODE_TRIES: WindowLimit = { limit: 5, windowMs: 5 * 60_000 };

/** Stores a code. It replaces the previous one. */
export async function putOneTimeCode(db: Db, email: string, codeHash: Buffer, lifeMs: number): Promise<void> {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${lifeMs / 1_000})`;
  const code = { codeHash, attempts: 0, createdAt: sql<Date>`now()`, expiresAt };
  await db
    .insertInto('oneTimeCodes')
    .values({ email, ...code })
    .onConflict((conflict) => conflict.column('email').doUpdateSet(code))
    .execute();
}

/**
 * Counts an attempt, and resolves to the hash to compare. Undefined if there is no code, it has expired, or `maxTries`
 * attempts were made. Must not run within a transaction: the count must be committed whatever the result of the
 * attempt.
 */
export async function countCodeAttempt(db: Db, email: string, maxTries: number): Promise<Buffer | undefined> {
  const code = await db
    .updateTable('oneTimeCodes')
    .set({ attempts: sql`attempts + 1` })
    .where('email', '=', email)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning(['attempts', 'codeHash'])
    .executeTakeFirst();
  return code === undefined || code.attempts > maxTries ? undefined : code.codeHash;
}

/** Consumes the code. False if another request consumed it, or a new code replaced it. */
export async function takeOneTimeCode(db: Db, email: string, codeHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oneTimeCodes')
    .where('email', '=', email)
    .where('codeHash', '=', codeHash)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes expired codes. Resolves to their number. */
export async function deleteExpiredCodes(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('oneTimeCodes')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
