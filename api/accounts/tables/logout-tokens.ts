import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    logoutTokens: LogoutTokensTable;
  }
}

/** An accepted logout token. */
export interface LogoutTokensTable {
  provider: string;
  /** Id that the identity provider assigned. */
  jti: string;
  /** From this time on the token is rejected as expired anyway. */
  expiresAt: Date;
}

/** Records an accepted token. False if any process accepted it before. */
export async function insertLogoutToken(db: Db, token: LogoutTokensTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('logoutTokens')
    .values(token)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes expired tokens. Resolves to their number. */
export async function deleteExpiredLogoutTokens(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('logoutTokens')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
