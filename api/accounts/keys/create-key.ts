import { apiError } from '#api/http/api-error.ts';
import type { Db } from '#api/postgres/database.ts';
import { type Scope, scopesOfRole } from '#schemas/api/roles.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { findKeyOwner, insertApiKey } from '../tables/api-keys.ts';
import { expiryOf } from './expiry-policy.ts';
import { keyText, newKey } from './key-format.ts';

export interface NewApiKey {
  readonly userId: string;
  /** The name the owner gave it: 1 to 64 characters. */
  readonly label: string;
  /** Default: all that the owner's role allows now. A later promotion does not widen the key; a demotion narrows it. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Default: never. */
  readonly expiresAt?: Date | undefined;
  /** Addresses or networks it may be used from. Default: any. */
  readonly networks?: readonly string[] | undefined;
  /** `workflow:<id or name>`, `agent:<id or name>`. Default: all. */
  readonly resources?: readonly string[] | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly requestsPerDay?: number | undefined;
}

export interface CreatedApiKey {
  /** `<keyId>.<secret>`. It cannot be read again: return it to the caller and drop it. */
  readonly apiKey: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** Null: never. The policy may set it where none was wanted. */
  readonly expiresAt: Date | null;
}

/** What the key's secret is, and its hash; made before the transaction, which is not to wait for a slow hash. */
export interface PreparedKey {
  readonly keyId: string;
  readonly apiKey: string;
  readonly secretHash: string;
}

/** Keys of one user that work at the same time. Far beyond what people need; it bounds what a stolen session can leave behind. */
export const MAX_ACTIVE_KEYS = 1000;

const MAX_LABEL = 64;
const HOST_SCOPES: Scope[] = ['events:write'];

/** Rejects with `HasherBusy` when too many hashes are waiting. */
export type PrepareKey = () => Promise<PreparedKey>;
/** Rejects with `ApiError` for a key that may not be made. The audit entry is the caller's to write, in the same transaction. */
export type CreateKey = (db: Db, wanted: NewApiKey, prepared?: PreparedKey) => Promise<CreatedApiKey>;

/** Makes a key that belongs to the host and to no user: it stays valid when the account that enrolled the host is deleted. The caller writes the audit entry. */
export type CreateHostKey = (db: Db, hostname: string, prepared: PreparedKey) => Promise<CreatedApiKey>;

/** What keys of users have to keep to. Keys of hosts have no end: a detector that stops is blind. */
export interface KeyPolicy {
  /** Longest life of a new key, days. Default: any. */
  readonly maxDays?: number | null;
}

/** Makes keys; `hasher` is that of `createKeyHasher`. Within a transaction hand `createKey` what `prepareKey` made before it, so that no lock waits for a hash. */
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
    if (owner.past) throw apiError('invalid_value', 'a time in the future is expected', 'expiresAt');
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
