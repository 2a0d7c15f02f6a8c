import { randomBytes } from 'node:crypto';
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

/** Requests a change, which has no link yet. It replaces an earlier change of the user: its link no longer works. */
export async function putEmailChange(
  db: Db,
  change: { readonly userId: string; readonly email: string },
): Promise<void> {
  const values = { tokenHash: unknownToken(), createdAt: sql<Date>`now()`, expiresAt: expiryOfChange() };
  await db
    .insertInto('emailChanges')
    .values({ ...change, ...values })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ email: change.email, ...values }))
    .execute();
}

/** Gives the requested change its link; false when it is not requested any more. */
export async function setEmailChangeToken(
  db: Db,
  { userId, email, tokenHash }: { readonly userId: string; readonly email: string; readonly tokenHash: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('emailChanges')
    .set({ tokenHash, expiresAt: expiryOfChange() })
    .where('userId', '=', userId)
    .where('email', '=', email)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Takes the link from a change, because it was not sent. The change stays requested: the mail is tried again. */
export async function clearEmailChangeToken(db: Db, tokenHash: Buffer): Promise<void> {
  await db.updateTable('emailChanges').set({ tokenHash: unknownToken() }).where('tokenHash', '=', tokenHash).execute();
}

/** The hash of no token. */
function unknownToken(): Buffer {
  return randomBytes(32);
}

function expiryOfChange() {
  return sql<Date>`now() + make_interval(mins => ${EMAIL_CHANGE_MINUTES})`;
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

/** Deletes the change of a user, if one is requested. */
export async function deleteEmailChangeOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('emailChanges').where('userId', '=', userId).execute();
}

/** Resolves to the number of changes that had expired. */
export async function deleteExpiredEmailChanges(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('emailChanges')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
