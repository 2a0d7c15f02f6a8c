import { apiError } from '#api/http/api-error.ts';

/**
 * Runs the back-tests of one process one at a time, because each needs a thread and the memory of a large query. Others
 * wait in a fair queue with one turn per principal.
 */
export interface BacktestQueue {
  /**
   * Queues `work` and runs it. Rejects with a 429 when too many back-tests wait, in total or of this principal. When
   * `signal` aborts, a waiting back-test leaves the queue and rejects with the reason of the signal. `onPosition` is
   * called with each position in the queue, from 1, and with 0 when the work begins.
   */
  run<T>(
    principal: string,
    signal: AbortSignal,
    work: () => Promise<T>,
    onPosition?: (position: number) => void,
  ): Promise<T>;
  /** Number of waiting back-tests. */
  waiting(): number;
}

export interface BacktestQueueLimits {
  /** Maximum number of waiting back-tests of all principals. Default 8. */
  readonly maxWaiting?: number;
  /** Maximum number of waiting back-tests per principal. Default 2. */
  readonly maxWaitingOfPrincipal?: number;
  /** `Retry-After` of a 429, seconds. Default 30. */
  readonly retryAfterSeconds?: number;
}

/** A waiting back-test. Resolving `start` runs it. */
interface Turn {
  readonly start: PromiseWithResolvers<void>;
  readonly onPosition: (position: number) => void;
  position: number;
}

/** Creates the queue of one process. */
export function createBacktestQueue(limits: BacktestQueueLimits = {}): BacktestQueue {
  const { maxWaiting = 8, maxWaitingOfPrincipal = 2, retryAfterSeconds = 30 } = limits;
  /** Waiting back-tests by principal. The order of the keys is the order of the turns. */
  const turns = new Map<string, Turn[]>();
  /** The principal of the running back-test. */
  let running: string | undefined;

  const waiting = (): number => [...turns.values()].reduce((sum, { length }) => sum + length, 0);

  async function waitForSlot(
    principal: string,
    signal: AbortSignal,
    onPosition: (position: number) => void,
  ): Promise<void> {
    const own = turns.get(principal) ?? [];
    if (waiting() >= maxWaiting || own.length >= maxWaitingOfPrincipal)
      throw apiError('rate_limited', `too many back-tests wait: ${waiting()}, ${own.length} of them yours`, undefined, {
        'retry-after': String(retryAfterSeconds),
      });
    signal.throwIfAborted();
    const turn: Turn = { start: Promise.withResolvers(), onPosition, position: 0 };
    const leave = () => {
      remove(principal, turn);
      reportPositions();
      turn.start.reject(signal.reason);
    };
    turns.set(principal, [...own, turn]);
    signal.addEventListener('abort', leave, { once: true });
    reportPositions();
    await turn.start.promise.finally(() => signal.removeEventListener('abort', leave));
  }

  /** Reports changed positions to the waiting back-tests. */
  function reportPositions(): void {
    for (const [index, turn] of inOrder(turns, running).entries()) {
      if (turn.position === index + 1) continue;
      turn.position = index + 1;
      turn.onPosition(turn.position);
    }
  }

  function remove(principal: string, turn: Turn): void {
    const left = (turns.get(principal) ?? []).filter((one) => one !== turn);
    if (left.length > 0) turns.set(principal, left);
    else turns.delete(principal);
  }

  /** Gives the slot to the next principal. Further back-tests of the previous principal move behind all others. */
  function passOn(from: string): void {
    const own = turns.get(from);
    turns.delete(from);
    if (own !== undefined) turns.set(from, own);
    const [next] = turns;
    if (next === undefined) {
      running = undefined;
      return;
    }
    const [principal, [turn]] = next;
    if (turn === undefined) return;
    remove(principal, turn);
    running = principal;
    reportPositions();
    turn.start.resolve();
  }

  return {
    waiting,
    async run(principal, signal, work, onPosition = () => {}) {
      if (running === undefined) running = principal;
      else await waitForSlot(principal, signal, onPosition);
      try {
        signal.throwIfAborted();
        onPosition(0);
        return await work();
      } finally {
        passOn(principal);
      }
    },
  };
}

/**
 * Returns the waiting back-tests in the order of execution: one per principal in each round. The running principal
 * comes last.
 */
function inOrder(turns: ReadonlyMap<string, readonly Turn[]>, running: string | undefined): Turn[] {
  const others = [...turns].filter(([principal]) => principal !== running).map(([, own]) => own);
  const last = running === undefined ? undefined : turns.get(running);
  const lists = last === undefined ? others : [...others, last];
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => lists.flatMap((own) => own[round] ?? [])).flat();
}
