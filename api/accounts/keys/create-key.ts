import { apiError } from '#api/http/api-error.ts';
import type { Db } from '#api/postgres/database.ts';
import { type Scope, scopesOfRole } from '#schemas/api/roles.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { findKeyOwner, insertApiKey } from '../tables/api-keys.ts';
import { expiryOf } from './expiry-policy.ts';
import { keyText, newKey } from './key-format.ts';

export interface NewApiKey {
  readonly userId: string;
  /** Label that the owner chose: 1 to 64 characters. */
  readonly label: string;
  /** Default: all scopes that the owner's role permits now. A later promotion does not add scopes; a demotion removes them. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Default: never. */
  readonly expiresAt?: Date | undefined;
  /** Addresses or networks from which the key may be used. Default: any. */
  readonly networks?: readonly string[] | undefined;
  /** Workflows and agents that the key may use, as `workflow:<id or name>` and `agent:<id or name>`. Default: all. */
  readonly resources?: readonly string[] | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly requestsPerDay?: number | undefined;
}

export interface CreatedApiKey {
  /** `<keyId>.<secret>`. It cannot be read again: return it to the caller and do not store it. */
  readonly apiKey: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** Null: never. The policy can set an expiry that was not requested. */
  readonly expiresAt: Date | null;
}

/** The secret of a new key and its hash. Prepared before the transaction, because the hash is slow. */
export interface PreparedKey {
  readonly keyId: string;
  readonly apiKey: string;
  readonly secretHash: string;
}

/** Maximum number of active keys per user. It far exceeds the needs of people, and limits what a stolen session can create. */
export const MAX_ACTIVE_KEYS = 1000;

const MAX_LABEL = 64;
const HOST_SCOPES: Scope[] = ['events:write'];

/** Rejects with `HasherBusy` when too many hashes are queued. */
export type PrepareKey = () => Promise<PreparedKey>;
/**
 * Creates a key. Rejects with `ApiError` for a key that is not permitted. The caller must write the audit entry in the
 * same transaction.
 */
export type CreateKey = (db: Db, wanted: NewApiKey, prepared?: PreparedKey) => Promise<CreatedApiKey>;

/**
 * Creates a key that belongs to the host and to no user: it stays valid when the account that enrolled the host is
 * deleted. The caller must write the audit entry.
 */
export type CreateHostKey = (db: Db, hostname: string, prepared: PreparedKey) => Promise<CreatedApiKey>;

/** Policy for the keys of users. Keys of hosts do not expire, because a detector without a key reports nothing. */
export interface KeyPolicy {
  /** Maximum lifetime of a new key, days. Default: unlimited. */
  readonly maxDays?: number | null;
}

/**
 * Creates the functions that create keys. `hasher` is that of `createKeyHasher`. Within a transaction, pass the result
 * of an earlier `prepareKey` to `createKey`, so that no lock is held during hashing.
 */
export function createKeyMaking(
  { hasher }: { readonly hasher: Pick<Hasher, 'hash'> },
  { maxDays = null }: KeyPolicy = {},
): {
  readonly prepareKey: PrepareKey;
  readonly createKey: CreateKey;
  readonly createHostKey: CreateHostKey;
} {
  const prepareKey: PrepareKey = async () => {
    const key = newKey();
    return { keyId: key.keyId, apiKey: keyText(key), secretHash: await hasher.hash(key.secret) };
  };

  const createKey: CreateKey = async (db, wanted, prepared) => {
    const { userId, label, scopes } = wanted;
    const expiry = expiryOf(wanted.expiresAt, Date.now(), maxDays);
    if (expiry.kind === 'too-late')
      throw apiError('invalid_value', `must be ${expiry.latest.toISOString()} at the latest`, 'expiresAt');
    const { expiresAt } = expiry;
    const { keyId, apiKey, secretHash } = prepared ?? (await prepareKey());
    const owner = await findKeyOwner(db, userId, expiresAt ?? null);
    if (owner === undefined) throw apiError('not_found', 'there is no such user');
    const allowed = scopesOfRole(owner.role);
    const beyond = scopes?.filter((scope) => !allowed.includes(scope)) ?? [];
    if (beyond.length > 0)
      throw apiError('invalid_value', `the role ${owner.role} does not allow ${beyond.join(', ')}`, 'scopes');
    if (owner.past) throw apiError('invalid_value', 'must be in the future', 'expiresAt');
    if (owner.activeKeys >= MAX_ACTIVE_KEYS)
      throw apiError('conflict', `a user has at most ${MAX_ACTIVE_KEYS} keys: revoke those that are not needed`);
    const granted = allowed.filter((scope) => scopes === undefined || scopes.includes(scope));
    await insertApiKey(db, {
      keyId,
      userId,
      secretHash,
      label,
      scopes: granted,
      expiresAt: expiresAt ?? null,
      hostname: null,
      networks: [...(wanted.networks ?? [])],
      resources: [...(wanted.resources ?? [])],
      requestsPerMinute: wanted.requestsPerMinute ?? null,
      requestsPerDay: wanted.requestsPerDay ?? null,
    });
    return { apiKey, keyId, scopes: granted, expiresAt: expiresAt ?? null };
  };

  const createHostKey: CreateHostKey = async (db, hostname, { keyId, apiKey, secretHash }) => {
    const label = `detector ${hostname}`.slice(0, MAX_LABEL);
    await insertApiKey(db, { keyId, userId: null, hostname, secretHash, label, scopes: HOST_SCOPES, expiresAt: null });
    return { apiKey, keyId, scopes: HOST_SCOPES, expiresAt: null };
  };

  return { prepareKey, createKey, createHostKey };
}
