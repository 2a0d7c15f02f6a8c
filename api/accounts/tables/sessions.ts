import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { deletePendingSignInsOf } from './pending-sign-ins.ts';
import type { User } from './users.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    sessions: SessionsTable;
  }
}

/** An active session. Deleting the row ends it on every process immediately. */
export interface SessionsTable {
  id: Generated<string>;
  userId: string;
  createdAt: Generated<Date>;
  expiresAt: Date;
  ip: string;
  userAgent: string;
  /** True if a second factor was presented, at the sign-in or when it was enrolled. */
  secondFactor: Generated<boolean>;
  /** When the user was last authenticated. Null: before this was recorded. */
  confirmedAt: Date | null;
  /** Encrypted data that the identity provider needs to end its session. Null: no session there has to be ended. */
  providerSession: Buffer | null;
}

export type Session = Selectable<SessionsTable>;

/** Stores a session that expires after `seconds`. */
export function insertSession(
  db: Db,
  {
    seconds,
    ...session
  }: Pick<Session, 'userId' | 'ip' | 'userAgent' | 'secondFactor' | 'providerSession'> & { readonly seconds: number },
): Promise<Pick<Session, 'id' | 'expiresAt'>> {
  return db
    .insertInto('sessions')
    .values({
      ...session,
      expiresAt: sql`now() + make_interval(secs => ${seconds})`,
      confirmedAt: sql<Date>`now()`,
    })
    .returning(['id', 'expiresAt'])
    .executeTakeFirstOrThrow();
}

/**
 * Ends the oldest sessions of a user beyond `most`. Locks the row of the user until the transaction ends, so that
 * concurrent sign-ins count each other's sessions.
 */
export async function endOldestSessions(transaction: Db, userId: string, most: number): Promise<void> {
  await sql`SELECT FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`.execute(transaction);
  await sql`
    DELETE FROM sessions WHERE id = ANY (ARRAY(
      SELECT id FROM sessions WHERE user_id = ${userId}::uuid ORDER BY created_at DESC, expires_at DESC, id OFFSET ${most}
    ))`.execute(transaction);
}

/**
 * Returns the current state of the user of a session. Undefined if the session has ended, or the account is disabled or
 * past its end date.
 */
export function userOfSession(
  db: Db,
  id: string,
): Promise<(Pick<User, 'id' | 'username' | 'email' | 'role'> & Pick<Session, 'secondFactor'>) | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['users.id', 'users.username', 'users.email', 'users.role', 'sessions.secondFactor'])
    .where('sessions.id', '=', id)
    .where('sessions.expiresAt', '>', sql<Date>`now()`)
    .where('users.disabled', '=', false)
    .where(({ eb, or }) => or([eb('users.endDate', 'is', null), eb('users.endDate', '>', sql<Date>`now()`)]))
    .executeTakeFirst();
}

/** Returns the active sessions of a user, newest first. */
export function sessionsOf(db: Db, userId: string): Promise<Omit<Session, 'providerSession'>[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'userId', 'createdAt', 'expiresAt', 'ip', 'userAgent', 'secondFactor', 'confirmedAt'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();
}

/** Ends a session of this user. False if the user has no such session. */
export async function deleteOwnSession(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Returns when the user of a session was last authenticated, and whether with a second factor. */
export function findSession(db: Db, id: string): Promise<Pick<Session, 'secondFactor' | 'confirmedAt'> | undefined> {
  return db.selectFrom('sessions').select(['secondFactor', 'confirmedAt']).where('id', '=', id).executeTakeFirst();
}

/** Records that the user of a session was authenticated now; with `secondFactor`, by a second factor too. */
export async function confirmSession(
  db: Db,
  id: string,
  { secondFactor }: { readonly secondFactor: boolean },
): Promise<Date> {
  const { confirmedAt } = await db
    .updateTable('sessions')
    .set({ confirmedAt: sql<Date>`now()`, ...(secondFactor ? { secondFactor } : {}) })
    .where('id', '=', id)
    .returning('confirmedAt')
    .executeTakeFirstOrThrow();
  return confirmedAt as Date;
}

/** Marks the sessions of a user as ones without a second factor. */
export async function forgetSecondFactor(db: Db, userId: string): Promise<void> {
  await db.updateTable('sessions').set({ secondFactor: false }).where('userId', '=', userId).execute();
}

/** Ends all sessions of a user except one, and pending sign-ins. Resolves to the ids of the ended sessions. */
export async function deleteOtherSessions(db: Db, userId: string, kept: string): Promise<string[]> {
  await deletePendingSignInsOf(db, userId);
  const ended = await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('id', '!=', kept)
    .returning('id')
    .execute();
  return ended.map(({ id }) => id);
}

/** Ends a session. Resolves to its provider session, or undefined if it had already ended. */
export function takeSession(db: Db, id: string): Promise<Pick<Session, 'providerSession'> | undefined> {
  return db.deleteFrom('sessions').where('id', '=', id).returning('providerSession').executeTakeFirst();
}

/** Ends a session. True if it existed. */
export async function deleteSession(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Ends all sessions of a user, and pending sign-ins. Resolves to the number of sessions. */
export async function deleteSessionsOf(db: Db, userId: string): Promise<number> {
  await deletePendingSignInsOf(db, userId);
  const { numDeletedRows } = await db.deleteFrom('sessions').where('userId', '=', userId).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Deletes expired sessions. Resolves to their number. */
export async function deleteExpiredSessions(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
