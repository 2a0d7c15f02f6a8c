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
  /** Of the authenticator, base64url. */
  credentialId: string;
  /** COSE. */
  publicKey: Buffer;
  /** Signatures the authenticator says it has made; 0 where it counts none. */
  counter: number;
  transports: string[];
  /** The name that the user gave it. */
  name: string;
  /** It may exist on several devices of the user. */
  synced: boolean;
  createdAt: Generated<Date>;
  lastUsedAt: Generated<Date | null>;
}

export type Passkey = Selectable<PasskeysTable>;

/** What an authenticator is to sign, once. */
export interface PasskeyChallengesTable {
  challenge: string;
  /** What it was made for, such as `session:<id>`. */
  subject: string;
  expiresAt: Date;
}

/** The passkeys of a user, the oldest first. */
export function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Ends all passkeys of a user; resolves to how many there were. */
export async function deletePasskeysOf(db: Db, userId: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('passkeys').where('userId', '=', userId).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Resolves to how many had expired. */
export async function deleteExpiredChallenges(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeyChallenges')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Stores a new passkey; undefined when the authenticator's credential is known already. */
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

/** Records a use; false when another request has recorded this counter or a later one, or the passkey is removed. */
export async function recordPasskeyUse(db: Db, { id, counter }: Passkey, next: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter: next, lastUsedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The passkey before the change; undefined when the user has no such passkey. */
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

/** Undefined when the user has no such passkey. */
export function deletePasskey(db: Db, userId: string, id: string): Promise<Passkey | undefined> {
  return db.deleteFrom('passkeys').where('id', '=', id).where('userId', '=', userId).returningAll().executeTakeFirst();
}

export async function insertChallenge(db: Db, challenge: string, subject: string, lifeMs: number): Promise<void> {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${lifeMs / 1_000})`;
  await db.insertInto('passkeyChallenges').values({ challenge, subject, expiresAt }).execute();
}

/** Uses a challenge up; false when it was made for another subject, was used, or has expired. */
export async function takeChallenge(db: Db, challenge: string, subject: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeyChallenges')
    .where('challenge', '=', challenge)
    .where('subject', '=', subject)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
