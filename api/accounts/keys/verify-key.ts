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
   * Who calls with this key. Undefined for what is no key, unknown, revoked, expired, or of an account that is disabled or past its end
   * date: the response does not say which. Rejects when PostgreSQL is unavailable, and with `HasherBusy` when too many keys are verified at once.
   */
  verify(presented: string): Promise<KeyCaller | HostCaller | undefined>;
  /**
   * The same without a promise, for a key whose secret was compared and whose state was read a moment ago, as for most requests. Undefined: `verify`
   * decides.
   */
  known(presented: string): KeyCaller | HostCaller | undefined;
  /** Ends listening. */
  close(): Promise<void>;
}

/**
 * Verifies keys, in this order:
 *
 * 1. Shape and checksum: garbage costs microseconds and no look-up.
 * 2. The state of key and account, no older than 0.4 s; a change that is announced is seen at once. So revocation holds everywhere within a
 *    second, whether or not the processes can hear each other.
 * 3. The secret: by the cache of keys that matched a hash the key still has, else by its hash. Several requests with one cold key wait for one hash. A key that does not
 *    exist costs a hash too, so that the time does not reveal which ids exist; the guard stops a client that sends many of those.
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
      state = await states.get(key.keyId); // the hash took its time
      if (!isValid(hash, state)) return undefined; // and the key was rotated
    }
    if (state === undefined || !state.usable) return undefined;
    lastUsed.note(key.keyId);
    return callerOf(state);
  }

  /** A secret that was compared belongs to a key of the right shape, so that neither shape nor checksum is checked again. */
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

  /** With the hash of the secret, and while a rotation overlaps with that of the secret before it; resolves to the one that matches. */
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

/** Whether a hash that a secret matched is still one of the key. */
function isValid(hash: string | undefined, state: KeyState | undefined): boolean {
  return hash !== undefined && (hash === state?.secretHash || hash === state?.previousHash);
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
function newCaller(state: KeyState): KeyCaller | HostCaller | undefined {
  const { userId, username, role, hostname, keyId, scopes } = state;
  const given = (allowed: readonly Scope[]) => allowed.filter((scope) => scopes.includes(scope));
  if (hostname !== null) return { kind: 'host', role: null, hostname, keyId, scopes: given(SCOPE_NAMES) };
  if (userId === null || username === null || role === null) return undefined;
  const restrictions = restrictionsOf(state);
  const caller: KeyCaller = { kind: 'key', userId, username, role, keyId, scopes: given(scopesOfRole(role)) };
  return restrictions === undefined ? caller : { ...caller, restrictions };
}
