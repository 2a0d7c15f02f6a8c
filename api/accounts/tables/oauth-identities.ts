import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import type { User } from './users.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    oauthIdentities: OAuthIdentitiesTable;
  }
}

/** An account at a provider that is linked to a local user. */
export interface OAuthIdentitiesTable {
  provider: string;
  /** The provider's id of the account. It never changes, unlike the address. */
  subject: string;
  userId: string;
  email: string;
  createdAt: Generated<Date>;
}

export type OAuthIdentity = Selectable<OAuthIdentitiesTable>;

/** The data of a user that the linking rule and a session need, by the clock of the database. */
export interface IdentityUser extends Pick<User, 'id' | 'username' | 'email' | 'role' | 'emailVerified'> {
  /** Disabled by an administrator, or past the end date. */
  readonly disabled: boolean;
  readonly locked: boolean;
}

const DISABLED = sql<boolean>`users.disabled OR coalesce(users.end_date <= now(), false)`.as('disabled');
const LOCKED = sql<boolean>`coalesce(users.lock_until > now(), false)`.as('locked');
const USER_COLUMNS = ['users.id', 'users.username', 'users.email', 'users.role', 'users.emailVerified'] as const;

/** Returns the user of an identity, locked against changes until the transaction ends. */
export function findIdentityOwner(db: Db, provider: string, subject: string): Promise<IdentityUser | undefined> {
  return db
    .selectFrom('oauthIdentities')
    .innerJoin('users', 'users.id', 'oauthIdentities.userId')
    .where('oauthIdentities.provider', '=', provider)
    .where('oauthIdentities.subject', '=', subject)
    .select([...USER_COLUMNS, DISABLED, LOCKED])
    .forNoKeyUpdate('users')
    .executeTakeFirst();
}

/** Returns the user with this address (lower case), locked against changes until the transaction ends. */
export function findEmailOwner(db: Db, email: string): Promise<IdentityUser | undefined> {
  return db
    .selectFrom('users')
    .where('users.email', '=', email)
    .select([...USER_COLUMNS, DISABLED, LOCKED])
    .forNoKeyUpdate('users')
    .executeTakeFirst();
}

/** Returns the number of linked accounts per provider. */
export async function countIdentities(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('oauthIdentities')
    .select(['provider', ({ fn }) => fn.countAll<number>().as('total')])
    .groupBy('provider')
    .execute();
  return new Map(rows.map(({ provider, total }) => [provider, total]));
}

/** Returns the providers of a user's identities. */
export async function providersOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('oauthIdentities').select('provider').where('userId', '=', userId).execute();
  return rows.map(({ provider }) => provider);
}

/** Links an identity to a user. False if the identity is already linked, to any user. */
export async function insertIdentity(
  db: Db,
  identity: Pick<OAuthIdentity, 'provider' | 'subject' | 'userId' | 'email'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('oauthIdentities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Creates a user without a password, whose address a provider has verified. Undefined if the username or the address is
 * taken, or another account once had the username. The transaction stays usable.
 */
export async function insertIdentityUser(
  transaction: Db,
  user: Pick<User, 'username' | 'email'>,
): Promise<Pick<User, 'id' | 'username' | 'email' | 'role'> | undefined> {
  // A trigger rejects names that other accounts once had. ON CONFLICT does not handle that, and without the savepoint
  // the transaction would fail.
  await sql`SAVEPOINT insert_user`.execute(transaction);
  try {
    const inserted = await transaction
      .insertInto('users')
      .values({ ...user, passwordHash: null, emailVerified: true })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'username', 'email', 'role'])
      .executeTakeFirst();
    await sql`RELEASE SAVEPOINT insert_user`.execute(transaction);
    return inserted;
  } catch (error) {
    if (violatedUnique(error) !== 'users_username_key') throw error;
    await sql`ROLLBACK TO SAVEPOINT insert_user`.execute(transaction);
    await sql`RELEASE SAVEPOINT insert_user`.execute(transaction);
    return undefined;
  }
}

/** Resets the count of failed passwords after a sign-in without a password. An active lock would have refused the sign-in. */
export async function forgetFailuresOf(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ failedLoginAttempts: 0, lockUntil: null })
    .where('id', '=', userId)
    .where('failedLoginAttempts', '>', 0)
    .execute();
}
