import { type Lock, type SharedState, SharedStateUnavailable } from '#api/shared-state/port.ts';
import type { Answer } from '../answer.ts';
import { pause } from './pause.ts';
import { readFailure, writeFailure } from './shared-failure.ts';

export interface Deduplication {
  /** Resolves to the answer, and whether this call or a concurrent one requested it. */
  share(key: string, call: () => Promise<Answer>): Promise<{ readonly answer: Answer; readonly own: boolean }>;
}

export interface DeduplicationDeps {
  readonly shared: SharedState;
  /** Returns a fresh answer that another process may have cached in the meantime. Undefined if no process has cached one. */
  readonly freshAnswer: (key: string) => Promise<Answer | undefined>;
  readonly signal: AbortSignal;
}

/** Longer than a call with all its attempts. If the lock holder dies, others wait at most `WAIT_MS`. */
const LOCK_MS = 45_000;
const WAIT_MS = 20_000;
const FIRST_POLL_MS = 20;
const MAX_POLL_MS = 200;
/** Long enough for all waiting callers to read the failure. Later callers make their own attempt. */
const FAILURE_MS = 2_000;

/**
 * Step 5. Identical calls share one upstream call: within the process by a promise, across processes by a lock. A
 * process that does not get the lock waits for the answer or failure of the lock holder. Without the shared state,
 * processes do not coordinate, and each sends a call.
 */
export function createDeduplication({ shared, freshAnswer, signal }: DeduplicationDeps): Deduplication {
  const inFlight = new Map<string, Promise<{ answer: Answer; own: boolean }>>();

  return {
    async share(key, call) {
      const running = inFlight.get(key);
      if (running !== undefined) return { answer: (await running).answer, own: false };
      const begun = acrossProcesses(key, call).finally(() => inFlight.delete(key));
      inFlight.set(key, begun);
      return begun;
    },
  };

  async function acrossProcesses(key: string, call: () => Promise<Answer>): Promise<{ answer: Answer; own: boolean }> {
    if (shared.state() !== 'ok') return { answer: await call(), own: true };
    try {
      return await underLock(key, call);
    } catch (error) {
      if (error instanceof SharedStateUnavailable) return { answer: await call(), own: true };
      throw error;
    }
  }

  async function underLock(key: string, call: () => Promise<Answer>): Promise<{ answer: Answer; own: boolean }> {
    const deadline = performance.now() + WAIT_MS;
    const first = await shared.locks.acquire(key, LOCK_MS);
    if (first !== undefined) return holding(first, key, call);
    // A failure that differs from this one belongs to the call that is awaited.
    const earlier = await shared.cache.get(failureKey(key));
    for (let pollMs = FIRST_POLL_MS; performance.now() < deadline; pollMs = Math.min(MAX_POLL_MS, 2 * pollMs)) {
      await pause(pollMs, signal);
      const answer = await freshAnswer(key);
      if (answer !== undefined) return { answer, own: false };
      const lock = await shared.locks.acquire(key, LOCK_MS);
      // Read after acquiring the lock: the previous holder writes its failure before it releases the lock.
      const failure = await shared.cache.get(failureKey(key));
      if (failure !== undefined && failure !== earlier) {
        await lock?.release();
        throw readFailure(failure);
      }
      if (lock !== undefined) return holding(lock, key, call);
    }
    return { answer: await call(), own: true };
  }

  async function holding(lock: Lock, key: string, call: () => Promise<Answer>) {
    try {
      // The previous lock holder may have cached an answer after the first look-up.
      const kept = await freshAnswer(key);
      if (kept !== undefined) return { answer: kept, own: false };
      return { answer: await call(), own: true };
    } catch (error) {
      // A stop of this process is not an upstream failure, so others may try.
      const failure = signal.aborted ? undefined : writeFailure(error);
      if (failure !== undefined) await shared.cache.set(failureKey(key), failure, FAILURE_MS).catch(ignoreUnavailable);
      throw error;
    } finally {
      await lock.release();
    }
  }
}

function failureKey(key: string): string {
  return `failed:${key}`;
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof SharedStateUnavailable)) throw error;
}
