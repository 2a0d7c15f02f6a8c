import type { HostCaller, KeyCaller } from '#api/http/access/caller.ts';
import type { Database } from '#api/postgres/database.ts';
import { SCOPE_NAMES, type Scope, scopesOfRole } from '#schemas/api/roles.ts';
import type { Hasher } from '../passwords/hasher.ts';
import type { KeyState } from '../tables/api-keys.ts';
import type { KeyChanges } from './key-changes.ts';
import { parseKey } from './key-format.ts';
import { MAX_KEY_CHARACTERS } from './key-hmac.ts';
import { createKeyStates, type KeyStatesOptions } from './key-states.ts';
import type { LastUsed } from './last-used.ts';
import { createRememberedKeys, type RememberedKeysOptions } from './remembered-keys.ts';
import { restrictionsOf } from './restrictions.ts';

export interface KeyVerifierDeps {
  readonly database: Database;
  /** See `createKeyHasher`. */
  readonly hasher: Pick<Hasher, 'verify' | 'decoy'>;
  readonly changes: KeyChanges;
  readonly lastUsed: LastUsed;
}

export interface KeyVerifierOptions {
  readonly remembered?: RememberedKeysOptions;
  readonly states?: KeyStatesOptions;
}

export interface KeyVerifier {
  /**
   * Returns the caller of this key. Undefined for a malformed, unknown, revoked or expired key, or for a disabled or
   * ended account; the response does not reveal the reason. Rejects when PostgreSQL is unavailable, and with
   * `HasherBusy` when too many keys are verified concurrently.
   */
  verify(presented: string): Promise<KeyCaller | HostCaller | undefined>;
  /**
   * Returns the caller without a promise if both the secret and the state of the key are cached, as for most requests.
   * If it returns undefined, `verify` decides.
   */
  known(presented: string): KeyCaller | HostCaller | undefined;
  /** Unsubscribes from key changes. */
  close(): Promise<void>;
}

/**
 * Creates a verifier, which checks a key in this order:
 *
 * 1. Format and checksum: an invalid text costs microseconds and no query.
 * 2. The state of key and account, at most 0.4 s old. Announced changes apply immediately. A revocation is therefore
 * effective everywhere within a second, even if processes cannot reach each other.
 * 3. The secret: by the cache of keys that matched a current hash of the key, otherwise by its hash. Concurrent
 * requests with one uncached key share one hash. A nonexistent key also costs a hash, so that the response time does
 * not reveal which ids exist. The guard blocks a client that sends many of those.
 */
export async function createKeyVerifier(deps: KeyVerifierDeps, options: KeyVerifierOptions = {}): Promise<KeyVerifier> {
  const { database, hasher, changes, lastUsed } = deps;
  const states = createKeyStates({ database }, options.states);
  const remembered = createRememberedKeys(options.remembered);
  const comparing = new Map<string, Promise<string | undefined>>();
  const endListening = await changes.listen(states.forget);

  async function verify(presented: string): Promise<KeyCaller | HostCaller | undefined> {
    const key = parseKey(presented);
    if (key === undefined) return undefined;
    const hmac = remembered.hmacOf(presented);
    let state = await states.get(key.keyId);
    if (!isValid(remembered.matched(hmac), state)) {
      const hash = await matches(hmac, key.secret, state);
      if (hash === undefined) return undefined;
      state = await states.get(key.keyId); // hashing takes time
      if (!isValid(hash, state)) return undefined; // the key was rotated during the hashing
    }
    if (state === undefined || !state.usable) return undefined;
    lastUsed.note(key.keyId);
    return callerOf(state);
  }

  /** A cached secret belongs to a well-formed key, so format and checksum are not checked again. */
  function known(presented: string): KeyCaller | HostCaller | undefined {
    if (presented.length > MAX_KEY_CHARACTERS) return undefined;
    const hash = remembered.matched(remembered.hmacOf(presented));
    if (hash === undefined) return undefined;
    const state = states.known(presented.slice(0, presented.indexOf('.')));
    if (!state?.usable || !isValid(hash, state)) return undefined;
    lastUsed.note(state.keyId);
    return callerOf(state);
  }

  function matches(hmac: string, secret: string, state: KeyState | undefined): Promise<string | undefined> {
    const running = comparing.get(hmac);
    if (running !== undefined) return running;
    const comparison = compare(hmac, secret, state).finally(() => comparing.delete(hmac));
    comparing.set(hmac, comparison);
    return comparison;
  }

  /**
   * Compares a secret with the current hash and, during the overlap of a rotation, with the previous hash. Resolves to
   * the matching hash.
   */
  async function compare(hmac: string, secret: string, state: KeyState | undefined): Promise<string | undefined> {
    for (const hash of [state?.secretHash ?? hasher.decoy, state?.previousHash ?? undefined]) {
      if (hash === undefined || !(await hasher.verify(secret, hash))) continue;
      remembered.add(hmac, hash);
      return hash;
    }
    return undefined;
  }

  return { verify, known, close: endListening };
}

/** True if a hash that a secret matched still belongs to the key. */
function isValid(hash: string | undefined, state: KeyState | undefined): boolean {
  return hash !== undefined && (hash === state?.secretHash || hash === state?.previousHash);
}

const callers = new WeakMap<KeyState, KeyCaller | HostCaller>();

/** Cached per state, because a state serves many requests. */
function callerOf(state: KeyState): KeyCaller | HostCaller | undefined {
  let caller = callers.get(state);
  if (caller === undefined) {
    caller = newCaller(state);
    if (caller !== undefined) callers.set(state, Object.freeze(caller));
  }
  return caller;
}

/** Its scopes are those of the key that the role of its owner permits. */
function newCaller(state: KeyState): KeyCaller | HostCaller | undefined {
  const { userId, username, role, hostname, keyId, scopes } = state;
  const given = (allowed: readonly Scope[]) => allowed.filter((scope) => scopes.includes(scope));
  if (hostname !== null) return { kind: 'host', role: null, hostname, keyId, scopes: given(SCOPE_NAMES) };
  if (userId === null || username === null || role === null) return undefined;
  const restrictions = restrictionsOf(state);
  const caller: KeyCaller = { kind: 'key', userId, username, role, keyId, scopes: given(scopesOfRole(role)) };
  return restrictions === undefined ? caller : { ...caller, restrictions };
}
