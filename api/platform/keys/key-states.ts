import type { Database } from '../../store/database.ts';
import { type KeyState, readKeyStates } from '../../store/tables/api-keys.ts';
import type { KeyChange } from './key-changes.ts';

/** What PostgreSQL says of keys now, or said a moment ago. */
export interface KeyStates {
  /** Undefined: there is no such key. Rejects with the failure of the database when it is away. */
  get(keyId: string): Promise<KeyState | undefined>;
  /** What is known of these keys is old. */
  forget(change: KeyChange): void;
}

export interface KeyStatesOptions {
  /** How old an answer may be, ms: the longest a revoked key lives in a process that hears of nothing. Default 400. */
  readonly maxAgeMs?: number;
  /** Keys that are remembered. Default 10,000. */
  readonly maxKeys?: number;
}

interface Known {
  readonly state: Promise<KeyState | undefined>;
  /** When it was asked for: the answer is no younger. */
  readonly askedAt: number;
  /** Whose key it is, once that is known. */
  userId: string | undefined;
}

const KEYS_A_QUERY = 500;

/**
 * Every request asks for the state of its key. A query each costs more than all other steps of a request together, so an answer serves
 * for less than half a second, and the questions of one turn of the event loop go out as one query, whatever their number.
 */
export function createKeyStates(
  { database }: { readonly database: Database },
  { maxAgeMs = 400, maxKeys = 10_000 }: KeyStatesOptions = {},
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
    const asked: Known = { state: question.promise, askedAt: performance.now(), userId: undefined };
    if (known.size >= maxKeys) known.delete(known.keys().next().value ?? '');
    known.set(keyId, asked);
    question.promise.then(
      (state) => {
        asked.userId = state?.userId;
      },
      () => {
        if (known.get(keyId) === asked) known.delete(keyId); // a failure is nothing to remember
      },
    );
    return asked;
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
    get(keyId) {
      const found = known.get(keyId);
      if (found !== undefined && performance.now() - found.askedAt < maxAgeMs) return found.state;
      known.delete(keyId); // the new one goes to the end: the oldest are the first to go
      return ask(keyId).state;
    },
    forget(change) {
      if ('keyId' in change) {
        known.delete(change.keyId);
        return;
      }
      // Those that are still being asked for may be this user's, and their answers may have been read before the change.
      for (const [keyId, { userId }] of known)
        if (userId === undefined || userId === change.userId) known.delete(keyId);
    },
  };
}
