import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { WindowLimit } from '#api/shared-state/port.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    oneTimeCodes: OneTimeCodesTable;
  }
}

/** The code an address was sent last; a new one replaces it. */
export interface OneTimeCodesTable {
  /** Lower case. */
  email: string;
  /** HMAC-SHA-256 of address and code: six digits alone would be found by trying. */
  codeHash: Buffer;
  attempts: Generated<number>;
  createdAt: Generated<Date>;
  expiresAt: Date;
}

export type OneTimeCode = Selectable<OneTimeCodesTable>;

/** Tries of a one-time code, within its life. */
export const CODE_TRIES: WindowLimit = { limit: 5, windowMs: 5 * 60_000 };

/** A new code takes the place of the one before it. */
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
 * Counts a try, and resolves to the hash it may be compared with; undefined when there is no code, it has expired, or it was tried
 * `maxTries` times. Must be committed whatever comes of the try, so not within a transaction.
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

/** Uses the code up; false when another request did, or a new code replaced it. */
export async function takeOneTimeCode(db: Db, email: string, codeHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oneTimeCodes')
    .where('email', '=', email)
    .where('codeHash', '=', codeHash)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Resolves to how many had expired. */
export async function deleteExpiredCodes(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('oneTimeCodes')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
