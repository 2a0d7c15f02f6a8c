/**
 * Keeps the thread free for other work: steps that need nothing from outside follow each other without leaving it, of one run and of all runs that
 * are ready. A turn of the event loop takes so many steps, fewer when they make much data; the others wait for the next turn, in their order.
 */
export interface Pace {
  /** Asks for a step. Undefined: it may begin; otherwise resolves when it may. */
  step(): Promise<void> | undefined;
  /** Counts bytes that a step has made. Undefined: it may go on at once; otherwise resolves when it may. */
  made(bytes: number): Promise<void> | undefined;
  /** The same, for what cannot wait. */
  count(bytes: number): void;
}

/** Takes some ten milliseconds to make and to measure. */
const BYTES_PER_TURN = 1024 * 1024;
/** What a step counts when it begins: how much it will make is not known then. */
const BYTES_OF_STEP = 8 * 1024;
/** What each of those counts that waited: they are many where steps make much. */
const BYTES_OF_WAITING = 128 * 1024;

/** One for all runs of an interpreter. */
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
