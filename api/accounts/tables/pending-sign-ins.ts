import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { SessionOrigin } from './federated-sessions.ts';
import { findUsableProfile, type Profile } from './users.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    pendingSignIns: PendingSignInsTable;
  }
}

/** A sign-in that passed the first factor and waits for the second. It is not a session: only its second step accepts it. */
export interface PendingSignInsTable {
  id: Generated<string>;
  /** SHA-256 of the token in the cookie. */
  tokenHash: Buffer;
  userId: string;
  step: 'verify' | 'enrol';
  /** The first factor: `password`, or `provider:<id>`. */
  method: string;
  /** Path of this site to open afterwards. */
  returnTo: string | null;
  /** Provider session of the resulting session. */
  providerSession: Buffer | null;
  /** Set for a sign-in with an identity provider: its ids of the account and of its session. */
  providerSubject: string | null;
  providerSid: string | null;
  createdAt: Generated<Date>;
  expiresAt: Date;
}

export type PendingSignIn = Selectable<PendingSignInsTable>;

export async function insertPendingSignIn(
  db: Db,
  { lifeMs, ...pending }: Omit<PendingSignIn, 'id' | 'createdAt' | 'expiresAt'> & { lifeMs: number },
): Promise<Date> {
  const { expiresAt } = await db
    .insertInto('pendingSignIns')
    .values({ ...pending, expiresAt: sql<Date>`now() + make_interval(secs => ${lifeMs / 1_000})` })
    .returning('expiresAt')
    .executeTakeFirstOrThrow();
  return expiresAt;
}

/**
 * Returns the pending sign-in of a token, with its account. Undefined if it has ended, or the account is disabled or
 * past its end date.
 */
export async function findPendingSignIn(
  db: Db,
  tokenHash: Buffer,
): Promise<{ readonly pending: PendingSignIn; readonly user: Profile } | undefined> {
  const pending = await db
    .selectFrom('pendingSignIns')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (pending === undefined) return undefined;
  const user = await findUsableProfile(db, pending.userId);
  return user && { pending, user };
}

/** Returns the identity provider data that the resulting session keeps, if the sign-in began with a provider. */
export function provenByProvider({
  method,
  providerSession,
  providerSubject: subject,
  providerSid: sid,
}: PendingSignIn): { readonly providerSession: Buffer | null; readonly federated: SessionOrigin | undefined } {
  const provider = method.slice('provider:'.length);
  return { providerSession, federated: subject === null ? undefined : { provider, subject, sid } };
}

/** Deletes a pending sign-in. False if another request has ended it. */
export async function deletePendingSignIn(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('pendingSignIns').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes all pending sign-ins of a user. */
export async function deletePendingSignInsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('pendingSignIns').where('userId', '=', userId).execute();
}

/** Deletes expired pending sign-ins. Resolves to their number. */
export async function deleteExpiredPendingSignIns(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('pendingSignIns')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
