import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    logoutTokens: LogoutTokensTable;
  }
}

/** A logout token that was accepted. */
export interface LogoutTokensTable {
  provider: string;
  /** As the identity provider named it. */
  jti: string;
  /** From then on the token is refused by its own times. */
  expiresAt: Date;
}

/** Records an accepted token; false when it was accepted before, by any process. */
export async function insertLogoutToken(db: Db, token: LogoutTokensTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('logoutTokens')
    .values(token)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Resolves to how many tokens had expired by themselves. */
export async function deleteExpiredLogoutTokens(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('logoutTokens')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
