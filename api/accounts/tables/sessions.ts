import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { deletePendingSignInsOf } from './pending-sign-ins.ts';
import type { User } from './users.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    sessions: SessionsTable;
  }
}

/** A sign-in that holds. Deleting the row ends it on every process at once. */
export interface SessionsTable {
  id: Generated<string>;
  userId: string;
  createdAt: Generated<Date>;
  expiresAt: Date;
  ip: string;
  userAgent: string;
  /** A second factor was presented in it: at the sign-in, or when it was enrolled. */
  secondFactor: Generated<boolean>;
  /** When the user last proved who they are; null: before this was recorded. */
  confirmedAt: Date | null;
  /** What the identity provider needs to end its own session, encrypted; null: nothing is to be ended there. */
  providerSession: Buffer | null;
}

export type Session = Selectable<SessionsTable>;

/** Begins a session that ends by itself after `seconds`. */
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
 * Ends the oldest sessions of a user beyond `most`. The row of the user is locked until the transaction ends, so that two sign-ins at once
 * see each other's.
 */
export async function endOldestSessions(transaction: Db, userId: string, most: number): Promise<void> {
  await sql`SELECT FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`.execute(transaction);
  await sql`
    DELETE FROM sessions WHERE id = ANY (ARRAY(
      SELECT id FROM sessions WHERE user_id = ${userId}::uuid ORDER BY created_at DESC, expires_at DESC, id OFFSET ${most}
    ))`.execute(transaction);
}

/** The current state of the user of a session; undefined when the session is over, or the account disabled or past its end. */
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

/** The sessions of a user that have not ended, the newest first. */
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

/** Ends a session if it is the user's; false when the user has no such session. */
export async function deleteOwnSession(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** When the user of a session last proved who they are, and whether with a second factor. */
export function findSession(db: Db, id: string): Promise<Pick<Session, 'secondFactor' | 'confirmedAt'> | undefined> {
  return db.selectFrom('sessions').select(['secondFactor', 'confirmedAt']).where('id', '=', id).executeTakeFirst();
}

/** Records that the user of a session has proved who they are now; with `secondFactor`, by a second factor too. */
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

/** The sessions of a user count as ones without a second factor from now on. */
export async function forgetSecondFactor(db: Db, userId: string): Promise<void> {
  await db.updateTable('sessions').set({ secondFactor: false }).where('userId', '=', userId).execute();
}

/** Ends all sessions of a user except one, and sign-ins that wait for a second factor; resolves to the ids of the sessions that ended. */
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

/** Ends a session; resolves to what of it outlives it, undefined when it had ended. */
export function takeSession(db: Db, id: string): Promise<Pick<Session, 'providerSession'> | undefined> {
  return db.deleteFrom('sessions').where('id', '=', id).returning('providerSession').executeTakeFirst();
}

/** True when there was one to end. */
export async function deleteSession(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Ends all sessions of a user, and sign-ins that wait for a second factor; resolves to how many sessions there were. */
export async function deleteSessionsOf(db: Db, userId: string): Promise<number> {
  await deletePendingSignInsOf(db, userId);
  const { numDeletedRows } = await db.deleteFrom('sessions').where('userId', '=', userId).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Resolves to how many sessions had ended by themselves. */
export async function deleteExpiredSessions(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
