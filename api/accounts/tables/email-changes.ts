import { randomBytes } from 'node:crypto';
import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    emailChanges: EmailChangesTable;
  }
}

/** A pending change of an e-mail address. The link is sent to the new address. */
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

/** Stores a requested change, without a link. It replaces an earlier change of the user, whose link becomes invalid. */
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

/** Stores the token of the requested change. False if the change is no longer pending. */
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

/** Removes the token of a change whose mail was not sent. The change stays pending, and the mail is retried. */
export async function clearEmailChangeToken(db: Db, tokenHash: Buffer): Promise<void> {
  await db.updateTable('emailChanges').set({ tokenHash: unknownToken() }).where('tokenHash', '=', tokenHash).execute();
}

/** A random value that matches no token. */
function unknownToken(): Buffer {
  return randomBytes(32);
}

function expiryOfChange() {
  return sql<Date>`now() + make_interval(mins => ${EMAIL_CHANGE_MINUTES})`;
}

/** Deletes a change and returns it. Undefined if it is unknown or expired. Of two concurrent calls, one gets it. */
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

/** Deletes the pending change of a user, if any. */
export async function deleteEmailChangeOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('emailChanges').where('userId', '=', userId).execute();
}

/** Deletes expired changes. Resolves to their number. */
export async function deleteExpiredEmailChanges(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('emailChanges')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
