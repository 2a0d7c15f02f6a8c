import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    emailChanges: EmailChangesTable;
  }
}

/** A change of an e-mail address that waits for the link sent to the new address. */
export interface EmailChangesTable {
  userId: string;
  /** SHA-256 of the token, which has 256 random bits. */
  tokenHash: Buffer;
  /** The new address, lower case. */
  email: string;
  createdAt: Generated<Date>;
  expiresAt: Date;
}

export const EMAIL_CHANGE_MINUTES = 60;

/** Replaces an earlier change of the user: its link no longer works. */
export async function putEmailChange(
  db: Db,
  change: { readonly userId: string; readonly tokenHash: Buffer; readonly email: string },
): Promise<void> {
  const times = {
    createdAt: sql<Date>`now()`,
    expiresAt: sql<Date>`now() + make_interval(mins => ${EMAIL_CHANGE_MINUTES})`,
  };
  await db
    .insertInto('emailChanges')
    .values({ ...change, ...times })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ tokenHash: change.tokenHash, email: change.email, ...times }),
    )
    .execute();
}

/** Deletes a change and returns it; undefined when it is unknown or has expired. Of two calls at once one gets it. */
export async function claimEmailChange(
  db: Db,
  tokenHash: Buffer,
): Promise<{ readonly userId: string; readonly email: string } | undefined> {
  return await db
    .deleteFrom('emailChanges')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning(['userId', 'email'])
    .executeTakeFirst();
}

/** Deletes a change whose link was not sent. */
export async function deleteEmailChange(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('emailChanges').where('tokenHash', '=', tokenHash).execute();
}

/** Resolves to the number of changes that had expired. */
export async function deleteExpiredEmailChanges(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('emailChanges')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
