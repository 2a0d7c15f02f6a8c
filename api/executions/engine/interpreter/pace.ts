/**
 * Keeps the thread free for other work: steps that need nothing from outside follow each other without leaving it, of one run and of all runs that
 * are ready. A turn of the event loop takes so many steps, fewer when they make much data; the others wait for the next turn, in their order.
 */
export interface Pace {
  /** Asks for a step. Undefined: it may begin; otherwise resolves when it may. */
  step(): Promise<void> | undefined;
  /** Counts bytes that a step has made or measured. */
  made(bytes: number): void;
}

/** Takes some ten milliseconds to make and to measure. */
const BYTES_PER_TURN = 1024 * 1024;
/** What a step counts when it begins: how much it will make is not known then. */
const BYTES_OF_STEP = 32 * 1024;

/** One for all runs of an interpreter. */
export function createPace(): Pace {
  const waiting: (() => void)[] = [];
  let bytes = 0;
  let turn: NodeJS.Immediate | undefined;

  function next(): void {
    bytes = 0;
    turn = undefined;
    while (bytes < BYTES_PER_TURN) {
      const begin = waiting.shift();
      if (begin === undefined) return;
      bytes += BYTES_OF_STEP;
      begin();
    }
    turn = setImmediate(next);
  }

  return {
    step() {
      turn ??= setImmediate(next);
      if (bytes < BYTES_PER_TURN && waiting.length === 0) {
        bytes += BYTES_OF_STEP;
        return undefined;
      }
      return new Promise((resolve) => void waiting.push(resolve));
    },
    made(more) {
      bytes += more;
    },
  };
}
