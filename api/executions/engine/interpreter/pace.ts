/**
 * Limits how long interpreters occupy the thread. Steps without external work run synchronously, for one run and for
 * all runs that are ready. Each iteration of the event loop runs a limited number of steps, fewer if they produce much
 * data. The other runs wait for the next iteration, in FIFO order.
 */
export interface Pace {
  /** Requests a step. Returns undefined if it may begin now, otherwise a promise that resolves when it may. */
  step(): Promise<void> | undefined;
  /**
   * Counts bytes that a step has produced. Returns undefined if the step may continue now, otherwise a promise that
   * resolves when it may.
   */
  made(bytes: number): Promise<void> | undefined;
  /** Counts bytes like `made`, for callers that cannot wait. */
  count(bytes: number): void;
}

/** Producing and measuring this much takes about ten milliseconds. */
const BYTES_PER_TURN = 1024 * 1024;
/** Bytes charged when a step begins, because its output size is not known yet. */
const BYTES_OF_STEP = 8 * 1024;
/** Bytes charged for each resumed waiter. Many steps wait when steps produce much data. */
const BYTES_OF_WAITING = 128 * 1024;

/** Shared by all runs of an interpreter. */
export function createPace(): Pace {
  const waiting: (() => void)[] = [];
  let bytes = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(next);
  }

  function next(): void {
    bytes = 0;
    isScheduled = false;
    while (bytes < BYTES_PER_TURN) {
      const begin = waiting.shift();
      if (begin === undefined) return;
      bytes += BYTES_OF_WAITING;
      begin();
    }
    schedule();
  }

  function made(more: number): Promise<void> | undefined {
    schedule();
    const mayGoOn = bytes < BYTES_PER_TURN && waiting.length === 0;
    bytes += more;
    return mayGoOn ? undefined : new Promise((resolve) => void waiting.push(resolve));
  }

  return {
    step: () => made(BYTES_OF_STEP),
    made,
    count(more) {
      schedule();
      bytes += more;
    },
  };
}
