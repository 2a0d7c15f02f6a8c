import { apiError } from '#api/http/api-error.ts';

/**
 * Runs the back-tests of one process one at a time: each needs a thread and the memory of a large query. Others wait in a fair queue: principals
 * take turns.
 */
export interface BacktestQueue {
  /**
   * Runs `work` in its turn. Rejects with a 429 when too many wait, or too many of this principal. Once `signal` aborts, a waiting back-test leaves
   * the queue and rejects with its reason. `onPosition` is called with each place in the queue, from 1, and with 0 when the work begins.
   */
  run<T>(
    principal: string,
    signal: AbortSignal,
    work: () => Promise<T>,
    onPosition?: (position: number) => void,
  ): Promise<T>;
  /** Number of back-tests that wait. */
  waiting(): number;
}

export interface BacktestQueueLimits {
  /** Of all principals. Default 8. */
  readonly maxWaiting?: number;
  /** Default 2. */
  readonly maxWaitingOfPrincipal?: number;
  /** After so long a client that got a 429 may try again, seconds. Default 30. */
  readonly retryAfterSeconds?: number;
}

/** One that waits: `start` lets it run. */
interface Turn {
  readonly start: PromiseWithResolvers<void>;
  readonly onPosition: (position: number) => void;
  position: number;
}

/** Creates the queue of one process. */
export function createBacktestQueue(limits: BacktestQueueLimits = {}): BacktestQueue {
  const { maxWaiting = 8, maxWaitingOfPrincipal = 2, retryAfterSeconds = 30 } = limits;
  /** In the order of the principals' turns. */
  const turns = new Map<string, Turn[]>();
  /** The principal whose back-test runs. */
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

  /** Reports its place to each that waits, if it changed. */
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

  /** Passes the slot on. What else waits of the principal that had it goes behind the others. */
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

/** Those that wait in the order in which they will run: one of each principal, again and again; the one that runs now comes last. */
function inOrder(turns: ReadonlyMap<string, readonly Turn[]>, running: string | undefined): Turn[] {
  const others = [...turns].filter(([principal]) => principal !== running).map(([, own]) => own);
  const last = running === undefined ? undefined : turns.get(running);
  const lists = last === undefined ? others : [...others, last];
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => lists.flatMap((own) => own[round] ?? [])).flat();
}
