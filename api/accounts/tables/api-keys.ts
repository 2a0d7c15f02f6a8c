import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Role } from '#schemas/api/roles.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    apiKeys: ApiKeysTable;
  }
}

/** A key of a user or of an enrolled host. Of the secret, only a bcrypt hash is stored. */
export interface ApiKeysTable {
  keyId: string;
  /** Null: the key belongs to a host. */
  userId: string | null;
  /** The host that owns the key. */
  hostname: string | null;
  secretHash: string;
  label: string;
  scopes: string[];
  createdAt: Generated<Date>;
  lastUsedAt: Generated<Date | null>;
  revokedAt: Generated<Date | null>;
  expiresAt: Date | null;
  /** Hash of the secret before a rotation, valid until `previousUntil`. */
  previousHash: Generated<string | null>;
  previousUntil: Generated<Date | null>;
  rotatedAt: Generated<Date | null>;
  /** Addresses or networks from which the key may be used. Empty: any. */
  networks: Generated<string[]>;
  /** Workflows and agents that the key may use, as `workflow:<id or name>` and `agent:<id or name>`. Empty: all. */
  resources: Generated<string[]>;
  requestsPerMinute: Generated<number | null>;
  requestsPerDay: Generated<number | null>;
  /** When the owner was warned of the expiry. */
  expiryWarnedAt: Generated<Date | null>;
  /** When a scanner reported the key as public. */
  leakedAt: Generated<Date | null>;
}

export type ApiKey = Selectable<ApiKeysTable>;

/** Neither revoked nor expired. */
const ACTIVE = sql<boolean>`revoked_at IS NULL AND coalesce(expires_at > now(), true)`;

export interface KeyOwner {
  readonly role: Role;
  readonly activeKeys: number;
  /** True if the given time has passed. */
  readonly past: boolean;
}

/**
 * Returns the owner of a new key, locked against a change of role until the transaction ends. Undefined if the account
 * does not exist. `time` is compared with the clock of the database.
 */
export async function findKeyOwner(db: Db, userId: string, time: Date | null): Promise<KeyOwner | undefined> {
  return db
    .selectFrom('users')
    .where('id', '=', userId)
    .select([
      'role',
      sql<number>`(SELECT count(*) FROM api_keys WHERE user_id = users.id AND ${ACTIVE})`.as('activeKeys'),
      sql<boolean>`coalesce(${time}::timestamptz <= now(), false)`.as('past'),
    ])
    .forShare()
    .executeTakeFirst();
}

export async function insertApiKey(
  db: Db,
  key: Pick<ApiKey, 'keyId' | 'userId' | 'hostname' | 'secretHash' | 'label' | 'scopes' | 'expiresAt'> &
    Partial<Pick<ApiKey, 'networks' | 'resources' | 'requestsPerMinute' | 'requestsPerDay'>>,
): Promise<void> {
  await db.insertInto('apiKeys').values(key).execute();
}

/** The fields of a key that its owner may see. */
export type ListedApiKey = Pick<ApiKey, (typeof LISTED)[number]>;
const LISTED = [
  'keyId',
  'label',
  'scopes',
  'createdAt',
  'lastUsedAt',
  'revokedAt',
  'expiresAt',
  'previousUntil',
  'rotatedAt',
  'networks',
  'resources',
  'requestsPerMinute',
  'requestsPerDay',
  'leakedAt',
] as const;

/** Returns all keys of a user, including inactive ones, newest first. */
export async function listApiKeys(db: Db, userId: string): Promise<ListedApiKey[]> {
  return db
    .selectFrom('apiKeys')
    .where('userId', '=', userId)
    .select(LISTED)
    .orderBy('createdAt', 'desc')
    .orderBy('keyId')
    .execute();
}

/**
 * Marks a key as revoked, in any state. Undefined if it does not exist, or has another owner. `before`: time of an
 * earlier revocation.
 */
export async function setApiKeyRevoked(
  db: Db,
  keyId: string,
  userId: string | undefined,
): Promise<(Pick<ApiKey, 'userId' | 'hostname' | 'label'> & { readonly before: Date | null }) | undefined> {
  const key = await db
    .selectFrom('apiKeys')
    .where('keyId', '=', keyId)
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId as string))
    .select(['userId', 'hostname', 'label', 'revokedAt as before'])
    .forUpdate()
    .executeTakeFirst();
  if (key !== undefined && key.before === null) {
    await db.updateTable('apiKeys').set({ revokedAt: sql<Date>`now()` }).where('keyId', '=', keyId).execute();
  }
  return key;
}

/** All data that decides about a request with a key. */
export interface KeyState {
  readonly keyId: string;
  readonly secretHash: string;
  /** Hash of the secret before a rotation, while it is valid. */
  readonly previousHash: string | null;
  readonly networks: string[];
  readonly resources: string[];
  readonly requestsPerMinute: number | null;
  readonly requestsPerDay: number | null;
  readonly scopes: string[];
  /** Null: the key belongs to a host. */
  readonly userId: string | null;
  readonly username: string | null;
  readonly role: Role | null;
  /** Null: the key belongs to a user. */
  readonly hostname: string | null;
  /** True if the key is neither revoked nor expired, and its owner, if any, is neither disabled nor past the end date. */
  readonly usable: boolean;
}

/** Returns the states of those keys that exist, by the clock of the database. One index look-up per key. */
export async function readKeyStates(db: Db, keyIds: readonly string[]): Promise<KeyState[]> {
  return db
    .selectFrom('apiKeys')
    .leftJoin('users', 'users.id', 'apiKeys.userId')
    .where('keyId', '=', sql<string>`ANY(${keyIds})`)
    .select([
      'keyId',
      'hostname',
      'secretHash',
      sql<string | null>`CASE WHEN previous_until > now() THEN previous_hash END`.as('previousHash'),
      'networks',
      'resources',
      'requestsPerMinute',
      'requestsPerDay',
      'scopes',
      'userId',
      'username',
      'role',
      sql<boolean>`${ACTIVE} AND (user_id IS NULL OR NOT disabled AND coalesce(end_date > now(), true))`.as('usable'),
    ])
    .execute();
}

/** Uses of keys, in milliseconds before now, so that the clocks of processes may differ. */
export interface KeyUse {
  readonly keyId: string;
  readonly agoMs: number;
}

/** Writes when keys were last used. A later time of another process is kept. Concurrent writers lock rows in the same order. */
export async function writeKeyUses(db: Db, uses: readonly KeyUse[]): Promise<void> {
  await sql`
    WITH uses AS (
      SELECT * FROM unnest(${uses.map(({ keyId }) => keyId)}::text[], ${uses.map(({ agoMs }) => Math.round(agoMs))}::bigint[])
        AS use (key_id, ago_ms)
    ), locked AS (
      SELECT key_id FROM api_keys WHERE key_id IN (SELECT key_id FROM uses) ORDER BY key_id FOR NO KEY UPDATE
    )
    UPDATE api_keys SET last_used_at = greatest(last_used_at, now() - ago_ms * interval '1 millisecond')
    FROM uses JOIN locked USING (key_id) WHERE api_keys.key_id = uses.key_id`.execute(db);
}

/** Returns the number of keys of a user that are neither revoked nor expired. */
export async function countActiveApiKeys(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('apiKeys')
    .where('userId', '=', userId)
    .where(ACTIVE)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns a key of this user, locked until the transaction ends. */
export async function findChangeableKey(transaction: Db, keyId: string, userId: string | undefined) {
  return transaction
    .selectFrom('apiKeys')
    .where('keyId', '=', keyId)
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId as string))
    .select([
      'userId',
      'label',
      'expiresAt',
      'networks',
      'resources',
      'requestsPerMinute',
      'requestsPerDay',
      ACTIVE.as('active'),
    ])
    .forUpdate()
    .executeTakeFirst();
}

/** Replaces the secret of a key. Resolves to the end of validity of the previous secret, at the latest its own expiry. */
export async function replaceKeySecret(
  transaction: Db,
  keyId: string,
  next: { readonly secretHash: string; readonly overlapSeconds: number; readonly expiresAt: Date | null },
): Promise<Date> {
  const { previousUntil } = await transaction
    .updateTable('apiKeys')
    .set({
      previousHash: sql<string>`secret_hash`,
      previousUntil: sql<Date>`least(now() + make_interval(secs => ${next.overlapSeconds}), expires_at)`,
      secretHash: next.secretHash,
      expiresAt: next.expiresAt,
      rotatedAt: sql<Date>`now()`,
      expiryWarnedAt: null,
      leakedAt: null,
    })
    .where('keyId', '=', keyId)
    .returning('previousUntil')
    .executeTakeFirstOrThrow();
  return previousUntil as Date;
}

export async function updateKeyRestrictions(
  transaction: Db,
  keyId: string,
  change: Partial<Pick<ApiKey, 'label' | 'networks' | 'resources' | 'requestsPerMinute' | 'requestsPerDay'>>,
): Promise<void> {
  await transaction.updateTable('apiKeys').set(change).where('keyId', '=', keyId).execute();
}

/**
 * Returns active keys of users that expire within this number of days and whose owners were not warned yet, and marks
 * them as warned.
 */
export async function takeKeysToWarn(transaction: Db, days: number) {
  const { rows } = await sql<{ keyId: string; label: string; expiresAt: Date; userId: string; email: string }>`
    UPDATE api_keys SET expiry_warned_at = now() FROM users
    WHERE users.id = api_keys.user_id AND NOT users.disabled AND coalesce(users.end_date > now(), true)
      AND revoked_at IS NULL AND expiry_warned_at IS NULL
      AND expires_at > now() AND expires_at < now() + make_interval(days => ${days})
      AND expires_at - coalesce(rotated_at, api_keys.created_at) > make_interval(days => ${days})
    RETURNING key_id, label, expires_at, users.id AS user_id, users.email`.execute(transaction);
  return rows;
}

/** True if this user has the key. */
export async function hasApiKey(db: Db, keyId: string, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('apiKeys')
    .select('keyId')
    .where('keyId', '=', keyId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns the hashes of a key, even of a revoked or expired one. */
export async function findKeySecrets(db: Db, keyId: string) {
  return db
    .selectFrom('apiKeys')
    .where('keyId', '=', keyId)
    .select([
      'secretHash',
      'previousHash',
      sql<boolean>`coalesce(previous_until > now(), false)`.as('previousValid'),
      'userId',
      'hostname',
      'label',
    ])
    .executeTakeFirst();
}

/** Ends the validity of the previous secret immediately. False if it has ended, or another rotation replaced it. */
export async function endPreviousSecret(transaction: Db, keyId: string, previousHash: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('apiKeys')
    .set({ previousUntil: sql<Date>`now()` })
    .where('keyId', '=', keyId)
    .where('previousHash', '=', previousHash)
    .where('previousUntil', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Marks a key as found in public. False if it was already marked. */
export async function markKeyLeaked(transaction: Db, keyId: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('apiKeys')
    .set({ leakedAt: sql<Date>`now()` })
    .where('keyId', '=', keyId)
    .where('leakedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
