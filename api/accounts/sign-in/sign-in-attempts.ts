import { createHash } from 'node:crypto';
import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { WindowLimit } from '#api/shared-state/port.ts';
import { PROFILE, type Profile } from '../tables/users.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    signInDecoys: SignInDecoysTable;
  }
}

/** Rows that are written for attempts without an account, to keep the time equal. Their content has no meaning. */
export interface SignInDecoysTable {
  slot: number;
  failedLoginAttempts: Generated<number>;
  lockUntil: Generated<Date | null>;
}

/** Number of failed sign-ins that lock an account, and the lock time. */
export const ACCOUNT_LOCK: WindowLimit = { limit: 5, windowMs: 15 * 60_000 };

const DECOYS = 1024;

/** An account whose password may be compared now. */
export interface SignInCandidate {
  readonly id: string;
  readonly passwordHash: string;
  /** Number of failures, including this attempt. */
  readonly failures: number;
}

/**
 * Counts an attempt as a failure before the password is compared. Of concurrent attempts, at most `lock.limit` are
 * compared; the last of them locks the account. Attempts during the lock are counted but do not extend it. The first
 * attempt after the lock counts as one. Undefined if there is nothing to compare: the account does not exist, has no
 * password, or is locked, disabled or past its end date. Every case is one statement that writes one row.
 */
export async function countSignIn(db: Db, email: string, lock: WindowLimit): Promise<SignInCandidate | undefined> {
  const { rows } = await sql<SignInCandidate & { open: boolean }>`
    WITH account AS (
      UPDATE users SET
        failed_login_attempts = CASE
          WHEN lock_until <= now() THEN 1
          WHEN lock_until > now() THEN greatest(failed_login_attempts, ${lock.limit}) + 1
          ELSE failed_login_attempts + 1 END,
        lock_until = CASE
          WHEN lock_until <= now() THEN NULL
          WHEN lock_until > now() THEN lock_until
          WHEN failed_login_attempts + 1 >= ${lock.limit} THEN ${lockEnd(lock)} END
      WHERE email = ${email} AND password_hash IS NOT NULL
      RETURNING id, password_hash, failed_login_attempts AS failures,
        failed_login_attempts <= ${lock.limit} AND NOT disabled AND (end_date IS NULL OR end_date > now()) AS open
    ), decoy AS (
      UPDATE sign_in_decoys SET failed_login_attempts = (failed_login_attempts + 1) % 1000, lock_until = now()
      WHERE slot = ${slotOf(email)} AND NOT EXISTS (SELECT FROM account)
      RETURNING id, password_hash, failed_login_attempts AS failures, false AS open
    )
    SELECT id, password_hash, failures, open FROM account UNION ALL SELECT id, password_hash, failures, open FROM decoy
  `.execute(db);
  const [account] = rows;
  if (account === undefined || !account.open) return undefined;
  const { id, passwordHash, failures } = account;
  return { id, passwordHash, failures };
}

/**
 * Resets the count after a success. Undefined if the account changed during the comparison: it was disabled, reached
 * its end date, or got another password.
 */
export function wipeSignInFailures(db: Db, { id, passwordHash }: SignInCandidate): Promise<Profile | undefined> {
  return db
    .updateTable('users')
    .set({ failedLoginAttempts: 0, lockUntil: null })
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .where('disabled', '=', false)
    .where(({ eb, or }) => or([eb('endDate', 'is', null), eb('endDate', '>', sql<Date>`now()`)]))
    .returning(PROFILE)
    .executeTakeFirst();
}

/** Reverts the count of an attempt that was not compared, and a lock that it caused. */
export async function uncountSignIn(db: Db, id: string, lock: WindowLimit): Promise<void> {
  await db
    .updateTable('users')
    .set({
      failedLoginAttempts: sql`greatest(failed_login_attempts - 1, 0)`,
      lockUntil: sql`CASE WHEN failed_login_attempts > ${lock.limit} THEN lock_until END`,
    })
    .where('id', '=', id)
    .execute();
}

/** Locks an account after its last permitted failure. Undefined if a success came in between. */
export async function lockAccount(db: Db, id: string, lock: WindowLimit): Promise<Date | undefined> {
  const locked = await db
    .updateTable('users')
    .set({ lockUntil: lockEnd(lock) })
    .where('id', '=', id)
    .where('lockUntil', 'is not', null)
    .returning('lockUntil')
    .executeTakeFirst();
  return locked?.lockUntil ?? undefined;
}

function lockEnd({ windowMs }: WindowLimit) {
  return sql<Date>`now() + make_interval(secs => ${windowMs / 1_000})`;
}

function slotOf(email: string): number {
  return createHash('sha256').update(email).digest().readUInt32BE() % DECOYS;
}
