import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    passkeys: PasskeysTable;
    passkeyChallenges: PasskeyChallengesTable;
  }
}

/** A WebAuthn credential of a user. */
export interface PasskeysTable {
  id: Generated<string>;
  userId: string;
  /** Id from the authenticator, base64url. */
  credentialId: string;
  /** Public key in COSE format. */
  publicKey: Buffer;
  /** Signature counter of the authenticator; 0 if it does not count. */
  counter: number;
  transports: string[];
  /** Name that the user chose. */
  name: string;
  /** True if the passkey can exist on several devices of the user. */
  synced: boolean;
  createdAt: Generated<Date>;
  lastUsedAt: Generated<Date | null>;
}

export type Passkey = Selectable<PasskeysTable>;

/** A challenge that an authenticator signs once. */
export interface PasskeyChallengesTable {
  challenge: string;
  /** Purpose of the challenge, such as `session:<id>`. */
  subject: string;
  expiresAt: Date;
}

/** Returns the passkeys of a user, oldest first. */
export function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Deletes all passkeys of a user. Resolves to their number. */
export async function deletePasskeysOf(db: Db, userId: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('passkeys').where('userId', '=', userId).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Deletes expired challenges. Resolves to their number. */
export async function deleteExpiredChallenges(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeyChallenges')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Stores a new passkey. Undefined if the credential is already known. */
export function insertPasskey(
  db: Db,
  passkey: Pick<Passkey, 'userId' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'synced' | 'name'>,
): Promise<Passkey | undefined> {
  return db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function findPasskey(db: Db, credentialId: string): Promise<Passkey | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credentialId', '=', credentialId).executeTakeFirst();
}

/** Records a use. False if another request recorded this counter or a later one, or the passkey was removed. */
export async function recordPasskeyUse(db: Db, { id, counter }: Passkey, next: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter: next, lastUsedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Renames a passkey. Returns it as it was before the change, or undefined if the user has no such passkey. */
export async function renamePasskey(db: Db, userId: string, id: string, name: string): Promise<Passkey | undefined> {
  const before = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (before !== undefined) await db.updateTable('passkeys').set({ name }).where('id', '=', id).execute();
  return before;
}

/** Deletes a passkey. Undefined if the user has no such passkey. */
export function deletePasskey(db: Db, userId: string, id: string): Promise<Passkey | undefined> {
  return db.deleteFrom('passkeys').where('id', '=', id).where('userId', '=', userId).returningAll().executeTakeFirst();
}

export async function insertChallenge(db: Db, challenge: string, subject: string, lifeMs: number): Promise<void> {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${lifeMs / 1_000})`;
  await db.insertInto('passkeyChallenges').values({ challenge, subject, expiresAt }).execute();
}

/** Consumes a challenge. False if it was created for another subject, was used, or has expired. */
export async function takeChallenge(db: Db, challenge: string, subject: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeyChallenges')
    .where('challenge', '=', challenge)
    .where('subject', '=', subject)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
