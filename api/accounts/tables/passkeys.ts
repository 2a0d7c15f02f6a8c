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

export async function countPasskeys(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('passkeys')
    .where('userId', '=', userId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
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
