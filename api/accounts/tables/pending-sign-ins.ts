import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { SessionOrigin } from './federated-sessions.ts';
import { findUsableProfile, type Profile } from './users.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    pendingSignIns: PendingSignInsTable;
  }
}

/** A sign-in whose first factor was right and that waits for the second. It is no session: nothing but its second step accepts it. */
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
  /** Of the session that it becomes. */
  providerSession: Buffer | null;
  /** Of a sign-in with an identity provider: its own ids of the account and of its session. */
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

/** The sign-in of a token, with its account; undefined when it is over, or the account disabled or past its end. */
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

/** What the session that a sign-in becomes keeps of its identity provider, if it began with one. */
export function provenByProvider({
  method,
  providerSession,
  providerSubject: subject,
  providerSid: sid,
}: PendingSignIn): { readonly providerSession: Buffer | null; readonly federated: SessionOrigin | undefined } {
  const provider = method.slice('provider:'.length);
  return { providerSession, federated: subject === null ? undefined : { provider, subject, sid } };
}

/** Ends a sign-in that waits; false when another request has ended it. */
export async function deletePendingSignIn(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('pendingSignIns').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Ends all of a user. */
export async function deletePendingSignInsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('pendingSignIns').where('userId', '=', userId).execute();
}

/** Resolves to how many had expired. */
export async function deleteExpiredPendingSignIns(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('pendingSignIns')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
