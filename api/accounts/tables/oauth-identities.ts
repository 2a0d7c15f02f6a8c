import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import type { User } from './users.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    oauthIdentities: OAuthIdentitiesTable;
  }
}

/** An account at a provider that signs in a user of ours. */
export interface OAuthIdentitiesTable {
  provider: string;
  /** The provider's own id of the account: it never changes, unlike its address. */
  subject: string;
  userId: string;
  email: string;
  createdAt: Generated<Date>;
}

export type OAuthIdentity = Selectable<OAuthIdentitiesTable>;

/** A user as the linking rule and a session need it, by the clock of the database. */
export interface IdentityUser extends Pick<User, 'id' | 'username' | 'email' | 'role' | 'emailVerified'> {
  /** By an administrator, or by an end date that has come. */
  readonly disabled: boolean;
  readonly locked: boolean;
}

const DISABLED = sql<boolean>`users.disabled OR coalesce(users.end_date <= now(), false)`.as('disabled');
const LOCKED = sql<boolean>`coalesce(users.lock_until > now(), false)`.as('locked');
const USER_COLUMNS = ['users.id', 'users.username', 'users.email', 'users.role', 'users.emailVerified'] as const;

/** Whom an identity signs in; locked against changes until the transaction ends. */
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

/** Who has an address (lower case); locked against changes until the transaction ends. */
export function findEmailOwner(db: Db, email: string): Promise<IdentityUser | undefined> {
  return db
    .selectFrom('users')
    .where('users.email', '=', email)
    .select([...USER_COLUMNS, DISABLED, LOCKED])
    .forNoKeyUpdate('users')
    .executeTakeFirst();
}

/** How many accounts each provider signs in. */
export async function countIdentities(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('oauthIdentities')
    .select(['provider', ({ fn }) => fn.countAll<number>().as('total')])
    .groupBy('provider')
    .execute();
  return new Map(rows.map(({ provider, total }) => [provider, total]));
}

/** The providers whose identities sign a user in. */
export async function providersOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('oauthIdentities').select('provider').where('userId', '=', userId).execute();
  return rows.map(({ provider }) => provider);
}

/** Links an identity to a user. False when that identity is linked already, to whomever. */
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
 * Makes a user without a password, whose address a provider has verified. Undefined when the username or the address is taken, or another account had the
 * username before; the transaction goes on.
 */
export async function insertIdentityUser(
  transaction: Db,
  user: Pick<User, 'username' | 'email'>,
): Promise<Pick<User, 'id' | 'username' | 'email' | 'role'> | undefined> {
  // A trigger refuses names that other accounts had: ON CONFLICT does not catch that, and without the savepoint it would end the transaction.
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

/** Wipes the count of failed passwords after a sign-in that needed none; a lock that still holds would have refused it. */
export async function forgetFailuresOf(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ failedLoginAttempts: 0, lockUntil: null })
    .where('id', '=', userId)
    .where('failedLoginAttempts', '>', 0)
    .execute();
}
