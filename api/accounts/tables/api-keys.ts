import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Role } from '#schemas/api/roles.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    apiKeys: ApiKeysTable;
  }
}

/** A key of a user, or of an enrolled host. Of the secret only a bcrypt hash is kept. */
export interface ApiKeysTable {
  keyId: string;
  /** Null: it belongs to a host and to no user. */
  userId: string | null;
  /** The host that it belongs to. */
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
  /** Addresses or networks it may be used from; empty: any. */
  networks: Generated<string[]>;
  /** `workflow:<id or name>`, `agent:<id or name>`; empty: all. */
  resources: Generated<string[]>;
  requestsPerMinute: Generated<number | null>;
  requestsPerDay: Generated<number | null>;
  /** When its owner was warned of its end. */
  expiryWarnedAt: Generated<Date | null>;
  /** When a scanner reported it as public. */
  leakedAt: Generated<Date | null>;
}

export type ApiKey = Selectable<ApiKeysTable>;

/** Neither revoked nor expired. */
const ACTIVE = sql<boolean>`revoked_at IS NULL AND coalesce(expires_at > now(), true)`;

export interface KeyOwner {
  readonly role: Role;
  readonly activeKeys: number;
  /** The time that was asked about has come already. */
  readonly past: boolean;
}

/**
 * The account a key is to be made for, locked against a change of its role until the transaction ends; undefined when it does not exist.
 * `time` is held against the clock of the database.
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

/** What an owner may see of a key. */
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

/** All keys of a user, also those that don't work any more; the newest first. */
export async function listApiKeys(db: Db, userId: string): Promise<ListedApiKey[]> {
  return db
    .selectFrom('apiKeys')
    .where('userId', '=', userId)
    .select(LISTED)
    .orderBy('createdAt', 'desc')
    .orderBy('keyId')
    .execute();
}

/** Marks a key as revoked, in any state; undefined when it does not exist, or not with this owner. `before`: when it had been revoked already. */
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

/** All that decides about a request with a key. */
export interface KeyState {
  readonly keyId: string;
  readonly secretHash: string;
  /** Of the secret before a rotation, while it is valid. */
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
  /** Neither revoked nor expired, and its owner, where it has one, is neither disabled nor past the end date. */
  readonly usable: boolean;
}

/** The state of each of these keys that exists, by the clock of the database. One index look-up a key. */
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

/** Uses of keys, in milliseconds before now, so that the clocks of processes need not agree. */
export interface KeyUse {
  readonly keyId: string;
  readonly agoMs: number;
}

/** Writes when keys were last used; what another process knows to be later stays. Two that write at once lock in the same order. */
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

/** How many keys of a user are neither revoked nor expired. */
export async function countActiveApiKeys(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('apiKeys')
    .where('userId', '=', userId)
    .where(ACTIVE)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** A key of this user that is to be changed, locked until the transaction ends. */
export async function findChangeableKey(transaction: Db, keyId: string, userId: string) {
  return transaction
    .selectFrom('apiKeys')
    .where('keyId', '=', keyId)
    .where('userId', '=', userId)
    .select(['label', 'expiresAt', 'networks', 'resources', 'requestsPerMinute', 'requestsPerDay', ACTIVE.as('active')])
    .forUpdate()
    .executeTakeFirst();
}

/** Replaces the secret of a key; resolves to the end of the time in which the one before is valid, which is its own end at the latest. */
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

/** Active keys of users that end within these days and whose owners were not warned yet; they count as warned from now on. */
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

/** Whether this user has the key. */
export async function hasApiKey(db: Db, keyId: string, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('apiKeys')
    .select('keyId')
    .where('keyId', '=', keyId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return found !== undefined;
}

/** The hashes of a key, also of one that is revoked or has expired. */
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

/** Ends the secret before a rotation at once; false when it has ended, or another rotation has replaced it. */
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

/** Marks a key as found in public; false when it is marked already. */
export async function markKeyLeaked(transaction: Db, keyId: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('apiKeys')
    .set({ leakedAt: sql<Date>`now()` })
    .where('keyId', '=', keyId)
    .where('leakedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
