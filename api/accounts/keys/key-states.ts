import type { Database } from '#api/postgres/database.ts';
import { type KeyState, readKeyStates } from '../tables/api-keys.ts';
import type { KeyChange } from './key-changes.ts';

/** The states of keys in PostgreSQL, cached for a short time. */
export interface KeyStates {
  /** Returns the cached state of a key without a promise. If it returns undefined, `get` decides. */
  known(keyId: string): KeyState | undefined;
  /**
   * Returns the state of a key. Undefined: there is no such key. Rejects with the database error when PostgreSQL is
   * unavailable.
   */
  get(keyId: string): Promise<KeyState | undefined>;
  /** Removes the affected states from the cache. */
  forget(change: KeyChange): void;
}

export interface KeyStatesOptions {
  /**
   * Maximum age of a cached state, ms: a process that misses all messages accepts a revoked key for at most this time.
   * Default 400.
   */
  readonly maxAgeMs?: number;
  /** Maximum number of cached keys. Default 10,000. */
  readonly maxKeys?: number;
  /** Monotonic clock, ms. */
  readonly now?: () => number;
}

interface Known {
  readonly state: Promise<KeyState | undefined>;
  /** Time at which the query was requested. The state is no older than that. */
  readonly askedAt: number;
  /** The result of `state`, once it is resolved. */
  settled: KeyState | undefined;
  /** The owner of the key, once it is known. */
  userId: string | null | undefined;
  /** The state that will replace this one. It was requested before this one expired. */
  next: Known | undefined;
}

const KEYS_A_QUERY = 500;

/**
 * Cache of key states. Every request needs the state of its key, and a query per request would cost more than all its
 * other steps together. Therefore a state is used for less than half a second, and all requests of one turn of the
 * event loop share one query. The state of a key in use is renewed after half of that time. Until then its requests use
 * the old state, so none of them waits for PostgreSQL.
 * Long: its functions share the cache and the pending queries.
 */
export function createKeyStates(
  { database }: { readonly database: Database },
  { maxAgeMs = 400, maxKeys = 10_000, now = () => performance.now() }: KeyStatesOptions = {},
): KeyStates {
  const known = new Map<string, Known>();
  let questions = new Map<string, PromiseWithResolvers<KeyState | undefined>>();

  function ask(keyId: string): Known {
    let question = questions.get(keyId);
    if (question === undefined) {
      question = Promise.withResolvers();
      if (questions.size === 0) setImmediate(send);
      questions.set(keyId, question);
    }
    const asked: Known = {
      state: question.promise,
      askedAt: now(),
      settled: undefined,
      userId: undefined,
      next: undefined,
    };
    question.promise.then(
      (state) => {
        asked.settled = state;
        asked.userId = state?.userId;
      },
      () => {
        if (known.get(keyId) === asked) known.delete(keyId); // errors are not cached
      },
    );
    return asked;
  }

  /** Adds the state at the end of the map. The first entries are the oldest and are removed first. */
  function remember(keyId: string, asked: Known): Known {
    known.delete(keyId);
    if (known.size >= maxKeys) known.delete(known.keys().next().value ?? '');
    known.set(keyId, asked);
    return asked;
  }

  /** Queries the state again. It replaces the old one when it arrives, unless the old one has been removed. */
  function renew(keyId: string, old: Known): void {
    const asked = ask(keyId);
    old.next = asked;
    asked.state.then(
      () => {
        if (known.get(keyId) === old) remember(keyId, asked);
        old.next = undefined; // otherwise an old state would keep all later ones in memory
      },
      () => {
        old.next = undefined;
      },
    );
  }

  /** Returns the pending renewal, unless it has also exceeded the maximum age. */
  function freshest(keyId: string, next: Known | undefined): Known {
    return next !== undefined && now() - next.askedAt < maxAgeMs ? next : ask(keyId);
  }

  function send(): void {
    const batch = [...questions];
    questions = new Map();
    for (let at = 0; at < batch.length; at += KEYS_A_QUERY) void answer(batch.slice(at, at + KEYS_A_QUERY));
  }

  async function answer(batch: readonly (readonly [string, PromiseWithResolvers<KeyState | undefined>])[]) {
    try {
      const states = await readKeyStates(
        database,
        batch.map(([keyId]) => keyId),
      );
      const byId = new Map(states.map((state) => [state.keyId, state]));
      for (const [keyId, { resolve }] of batch) resolve(byId.get(keyId));
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    }
  }

  return {
    known(keyId) {
      const found = known.get(keyId);
      if (found === undefined) return undefined;
      const age = now() - found.askedAt;
      // `get` renews a state at half of the maximum age.
      const isRenewed = age < maxAgeMs / 2 || found.next !== undefined;
      return age < maxAgeMs && isRenewed ? found.settled : undefined;
    },
    get(keyId) {
      const found = known.get(keyId);
      const age = found === undefined ? maxAgeMs : now() - found.askedAt;
      if (found === undefined || age >= maxAgeMs) return remember(keyId, freshest(keyId, found?.next)).state;
      if (age >= maxAgeMs / 2 && found.next === undefined) renew(keyId, found);
      return found.state;
    },
    forget(change) {
      if ('keyId' in change) {
        known.delete(change.keyId);
        return;
      }
      // The owner of pending states is unknown, and their results may have been read before the change.
      for (const [keyId, { userId }] of known)
        if (userId === undefined || userId === change.userId) known.delete(keyId);
    },
  };
}
