import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    resetTokens: ResetTokensTable;
  }
}

/** A single-use link that sets a new password. */
export interface ResetTokensTable {
  /** SHA-256 of the token, which has 256 random bits. */
  tokenHash: Buffer;
  userId: string;
  createdAt: Generated<Date>;
  expiresAt: Date;
}

export type ResetToken = Selectable<ResetTokensTable>;

export const RESET_MINUTES = 60;

/** Stores a token. Resolves to its expiry. */
export async function insertResetToken(db: Db, tokenHash: Buffer, userId: string): Promise<Date> {
  const expiresAt = sql<Date>`now() + make_interval(mins => ${RESET_MINUTES})`;
  const values = { tokenHash, userId, expiresAt };
  return (await db.insertInto('resetTokens').values(values).returning('expiresAt').executeTakeFirstOrThrow()).expiresAt;
}

/** Returns the user of a valid token. */
export function findResetToken(
  db: Db,
  tokenHash: Buffer,
): Promise<{ userId: string; username: string; email: string } | undefined> {
  return db
    .selectFrom('resetTokens')
    .innerJoin('users', 'users.id', 'resetTokens.userId')
    .select(['users.id as userId', 'users.username', 'users.email'])
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

/**
 * Consumes a token and deletes all other tokens of its user. Undefined if it is no longer valid. Of two concurrent
 * calls, one gets the user.
 */
export async function claimResetToken(db: Db, tokenHash: Buffer): Promise<string | undefined> {
  // Locks the user first: concurrent claims of two tokens of one user would otherwise deadlock.
  await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', ({ selectFrom }) => selectFrom('resetTokens').select('userId').where('tokenHash', '=', tokenHash))
    .forUpdate()
    .execute();
  const claimed = await db
    .deleteFrom('resetTokens')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('userId')
    .executeTakeFirst();
  if (claimed === undefined) return undefined;
  await db.deleteFrom('resetTokens').where('userId', '=', claimed.userId).execute();
  return claimed.userId;
}

/** Deletes a token that was not sent to its user. */
export async function deleteResetToken(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('resetTokens').where('tokenHash', '=', tokenHash).execute();
}

/** Deletes all tokens of a user. */
export async function deleteResetTokensOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('resetTokens').where('userId', '=', userId).execute();
}

/** Deletes expired tokens. Resolves to their number. */
export async function deleteExpiredResetTokens(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('resetTokens')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
