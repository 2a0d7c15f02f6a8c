import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Role } from '#schemas/api/roles.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    users: UsersTable;
  }
}

/** An account. A user who signs in with a provider only has no password hash. */
export interface UsersTable {
  id: Generated<string>;
  /** Spelling that the user chose. Unique regardless of case. */
  username: string;
  /** Lower case; unique. */
  email: string;
  passwordHash: string | null;
  image: Generated<string | null>;
  role: Generated<Role>;
  disabled: Generated<boolean>;
  /** From this time on the account counts as disabled. */
  endDate: Generated<Date | null>;
  failedLoginAttempts: Generated<number>;
  /** Sign-in is refused until this time. */
  lockUntil: Generated<Date | null>;
  emailVerified: Generated<boolean>;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

export type User = Selectable<UsersTable>;

/** The columns that users see of their own account. */
export const PROFILE = ['id', 'username', 'email', 'image', 'role', 'emailVerified', 'createdAt'] as const;
export type Profile = Pick<User, (typeof PROFILE)[number]>;

export function findProfile(db: Db, id: string): Promise<Profile | undefined> {
  return db.selectFrom('users').select(PROFILE).where('id', '=', id).executeTakeFirst();
}

/** False if the account is disabled or past its end date. */
export function mayUseAccount({ disabled, endDate }: Pick<User, 'disabled' | 'endDate'>): boolean {
  return !disabled && (endDate === null || endDate.getTime() > Date.now());
}

/** Returns the account as its owner sees it. Undefined if it is disabled or past its end date. */
export function findUsableProfile(db: Db, id: string): Promise<Profile | undefined> {
  return usableProfile(db, id).executeTakeFirst();
}

/** Returns the same, locked against changes until the transaction ends. */
export function lockUsableProfile(transaction: Db, id: string): Promise<Profile | undefined> {
  return usableProfile(transaction, id).forNoKeyUpdate().executeTakeFirst();
}

function usableProfile(db: Db, id: string) {
  return db
    .selectFrom('users')
    .select(PROFILE)
    .where('id', '=', id)
    .where('disabled', '=', false)
    .where(({ eb, or }) => or([eb('endDate', 'is', null), eb('endDate', '>', sql<Date>`now()`)]));
}

export function findUser(db: Db, id: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the user with this lower-case address. */
export function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/**
 * Creates a user. Rejects with a violation of `users_username_key` or `users_email_key` if one of them is taken; see
 * `violatedUnique`.
 */
export function insertUser(
  db: Db,
  user: Pick<User, 'username' | 'email' | 'passwordHash' | 'emailVerified'> & {
    readonly image?: string | null;
    readonly role?: Role;
  },
): Promise<Profile> {
  return db.insertInto('users').values(user).returning(PROFILE).executeTakeFirstOrThrow();
}

/**
 * Changes a profile. Returns the account before and after, or undefined if it does not exist. Rejects with a violation
 * of `users_username_key` if the name is taken.
 */
export async function updateProfile(
  db: Db,
  id: string,
  change: { readonly username?: string; readonly image?: string | null },
): Promise<{ before: Profile; after: Profile } | undefined> {
  const before = await db.selectFrom('users').select(PROFILE).where('id', '=', id).forUpdate().executeTakeFirst();
  if (before === undefined) return undefined;
  const after = await db
    .updateTable('users')
    .set({ ...change, updatedAt: sql`now()` })
    .where('id', '=', id)
    .returning(PROFILE)
    .executeTakeFirstOrThrow();
  return { before, after };
}

/**
 * Replaces the password of an account and resets its failed sign-ins. False if another request changed it, or the
 * account is disabled or past its end date.
 */
export async function replacePassword(
  db: Db,
  { id, passwordHash }: { readonly id: string; readonly passwordHash: string },
  next: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ passwordHash: next, failedLoginAttempts: 0, lockUntil: null, updatedAt: sql`now()` })
    .where('id', '=', id)
    .where('passwordHash', '=', passwordHash)
    .where('disabled', '=', false)
    .where(({ eb, or }) => or([eb('endDate', 'is', null), eb('endDate', '>', sql<Date>`now()`)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Sets a new password and ends a lockout. False if the account is disabled or past its end date. Access to the mail
 * proves ownership of the address.
 */
export async function setPassword(db: Db, id: string, passwordHash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ passwordHash, failedLoginAttempts: 0, lockUntil: null, emailVerified: true, updatedAt: sql`now()` })
    .where('id', '=', id)
    .where('disabled', '=', false)
    .where(({ eb, or }) => or([eb('endDate', 'is', null), eb('endDate', '>', sql<Date>`now()`)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Sets the address of an account. Resolves to the previous address, or undefined if the account is disabled or past its
 * end date. Rejects with a violation of `users_email_key` if the address is taken.
 */
export async function setEmail(
  db: Db,
  id: string,
  { email, verified }: { readonly email: string; readonly verified: boolean },
): Promise<Pick<User, 'email' | 'emailVerified'> | undefined> {
  const before = await db.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (before === undefined || !mayUseAccount(before)) return undefined;
  await db
    .updateTable('users')
    .set({ email, emailVerified: verified, updatedAt: sql`now()` })
    .where('id', '=', id)
    .execute();
  return before;
}
