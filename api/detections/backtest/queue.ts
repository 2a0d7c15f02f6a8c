import { apiError } from '#api/http/api-error.ts';

/**
 * Runs the back-tests of one process one at a time: each needs a thread and the memory of a large query. Others wait in a fair queue: principals
 * take turns.
 */
export interface BacktestQueue {
  /**
   * Runs `work` in its turn. Rejects with a 429 when too many wait, or too many of this principal. Once `signal` aborts, a waiting back-test leaves
   * the queue and rejects with its reason.
   */
  run<T>(principal: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Number of back-tests that wait. */
  waiting(): number;
}

export interface BacktestQueueLimits {
  /** Of all principals. Default 4. */
  readonly maxWaiting?: number;
  /** Default 2. */
  readonly maxWaitingOfPrincipal?: number;
  /** After so long a client that got a 429 may try again, seconds. Default 30. */
  readonly retryAfterSeconds?: number;
}

/** Resolves when the back-test may run. */
type Turn = PromiseWithResolvers<void>;

/** Creates the queue of one process. */
export function createBacktestQueue(limits: BacktestQueueLimits = {}): BacktestQueue {
  const { maxWaiting = 4, maxWaitingOfPrincipal = 2, retryAfterSeconds = 30 } = limits;
  /** In the order of the principals' turns. */
  const turns = new Map<string, Turn[]>();
  let running = false;

  const waiting = (): number => [...turns.values()].reduce((sum, { length }) => sum + length, 0);

  async function waitForSlot(principal: string, signal: AbortSignal): Promise<void> {
    const own = turns.get(principal) ?? [];
    if (waiting() >= maxWaiting || own.length >= maxWaitingOfPrincipal)
      throw apiError('rate_limited', `too many back-tests wait: ${waiting()}, ${own.length} of them yours`, undefined, {
        'retry-after': String(retryAfterSeconds),
      });
    const turn: Turn = Promise.withResolvers();
    const leave = () => {
      remove(principal, turn);
      turn.reject(signal.reason);
    };
    turns.set(principal, [...own, turn]);
    signal.addEventListener('abort', leave, { once: true });
    await turn.promise.finally(() => signal.removeEventListener('abort', leave));
  }

  function remove(principal: string, turn: Turn): void {
    const left = (turns.get(principal) ?? []).filter((one) => one !== turn);
    if (left.length > 0) turns.set(principal, left);
    else turns.delete(principal);
  }

  /** Passes the slot on. What else waits of the principal that had it goes behind the others. */
  function passOn(from: string): void {
    const own = turns.get(from);
    turns.delete(from);
    if (own !== undefined) turns.set(from, own);
    const [next] = turns;
    if (next === undefined) {
      running = false;
      return;
    }
    const [principal, [turn]] = next;
    if (turn === undefined) return;
    remove(principal, turn);
    turn.resolve();
  }

  return {
    waiting,
    async run(principal, signal, work) {
      if (running) await waitForSlot(principal, signal);
      running = true;
      try {
        signal.throwIfAborted();
        return await work();
      } finally {
        passOn(principal);
      }
    },
  };
}
