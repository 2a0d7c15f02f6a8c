import type { HostCaller, KeyCaller } from '#api/http/access/caller.ts';
import type { Database } from '#api/postgres/database.ts';
import { SCOPE_NAMES, type Scope, scopesOfRole } from '#schemas/api/roles.ts';
import type { Hasher } from '../passwords/hasher.ts';
import type { KeyState } from '../tables/api-keys.ts';
import type { KeyChanges } from './key-changes.ts';
import { parseKey } from './key-format.ts';
import { createKeyStates, type KeyStatesOptions } from './key-states.ts';
import type { LastUsed } from './last-used.ts';
import { createRememberedKeys, type RememberedKeysOptions } from './remembered-keys.ts';

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
   * Who calls with this key. Undefined for what is no key, unknown, revoked, expired, or of an account that is disabled or past its end
   * date: the response does not say which. Rejects when PostgreSQL is unavailable, and with `HasherBusy` when too many keys are verified at once.
   */
  verify(presented: string): Promise<KeyCaller | HostCaller | undefined>;
  /** Ends listening. */
  close(): Promise<void>;
}

/**
 * Verifies keys, in this order:
 *
 * 1. Shape and checksum: garbage costs microseconds and no look-up.
 * 2. The state of key and account, no older than 0.4 s; a change that is announced is seen at once. So revocation holds everywhere within a
 *    second, whether or not the processes can hear each other.
 * 3. The secret: by the cache of keys that matched, else by its hash. Several requests with one cold key wait for one hash. A key that does not
 *    exist costs a hash too, so that the time does not reveal which ids exist; the guard stops a client that sends many of those.
 */
export async function createKeyVerifier(deps: KeyVerifierDeps, options: KeyVerifierOptions = {}): Promise<KeyVerifier> {
  const { database, hasher, changes, lastUsed } = deps;
  const states = createKeyStates({ database }, options.states);
  const remembered = createRememberedKeys(options.remembered);
  const comparing = new Map<string, Promise<boolean>>();
  const endListening = await changes.listen(states.forget);

  async function verify(presented: string): Promise<KeyCaller | HostCaller | undefined> {
    const key = parseKey(presented);
    if (key === undefined) return undefined;
    const hmac = remembered.hmacOf(presented);
    let state = await states.get(key.keyId);
    if (!remembered.has(hmac)) {
      if (!(await matches(hmac, key.secret, state?.secretHash ?? hasher.decoy))) return undefined;
      state = await states.get(key.keyId); // the hash took its time
    }
    if (state === undefined || !state.usable) return undefined;
    lastUsed.note(key.keyId);
    return callerOf(state);
  }

  function matches(hmac: string, secret: string, hash: string): Promise<boolean> {
    const running = comparing.get(hmac);
    if (running !== undefined) return running;
    const comparison = hasher
      .verify(secret, hash)
      .then((match) => {
        if (match) remembered.add(hmac);
        return match;
      })
      .finally(() => comparing.delete(hmac));
    comparing.set(hmac, comparison);
    return comparison;
  }

  return { verify, close: endListening };
}

const callers = new WeakMap<KeyState, KeyCaller | HostCaller>();

/** A state serves many requests; what follows from it is made once. */
function callerOf(state: KeyState): KeyCaller | HostCaller | undefined {
  let caller = callers.get(state);
  if (caller === undefined) {
    caller = newCaller(state);
    if (caller !== undefined) callers.set(state, Object.freeze(caller));
  }
  return caller;
}

/** The scopes are those that the key was given and its owner may still use. */
function newCaller({ userId, username, role, hostname, keyId, scopes }: KeyState): KeyCaller | HostCaller | undefined {
  const given = (allowed: readonly Scope[]) => allowed.filter((scope) => scopes.includes(scope));
  if (hostname !== null) return { kind: 'host', role: null, hostname, keyId, scopes: given(SCOPE_NAMES) };
  if (userId === null || username === null || role === null) return undefined;
  return { kind: 'key', userId, username, role, keyId, scopes: given(scopesOfRole(role)) };
}
