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

/** Where a try is written for which there is no account; what it holds says nothing. */
export interface SignInDecoysTable {
  slot: number;
  failedLoginAttempts: Generated<number>;
  lockUntil: Generated<Date | null>;
}

/** Failed sign-ins that lock an account, and for how long. */
export const ACCOUNT_LOCK: WindowLimit = { limit: 5, windowMs: 15 * 60_000 };

const DECOYS = 1024;

/** An account a password may be compared for now. */
export interface SignInCandidate {
  readonly id: string;
  readonly passwordHash: string;
  /** Failures so far if this one is one too. */
  readonly failures: number;
}

/**
 * Counts a try to sign in as failed, before the password is looked at: of tries that come at once no more than `lock.limit` are ever compared.
 * The last of them locks the account; those during the lock count and don't lengthen it; the first after it counts as one. Undefined when there
 * is nothing to compare with: no such account, one without a password, locked, disabled, or past its end. Every case is one statement
 * that writes one row.
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
 * Wipes the count after a success. Undefined when the account changed while the password was compared: disabled, past its end, or with
 * another password.
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

/** Takes a try back that was never compared; a lock that it brought about goes with it. */
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

/** Locks an account whose last failure has been established; undefined when a success came in between. */
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
