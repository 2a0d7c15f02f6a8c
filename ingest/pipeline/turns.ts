/** Does `work` in a turn of the event loop of its own. */
export type TakeTurn = (work: () => void) => void;

/**
 * One piece of work per turn, in the order of the requests: while a lane takes in a chunk no socket is served, so the next fetch
 * and the blocks that are landing wait for one chunk at most and not for one of every lane.
 */
export function createTurns(): TakeTurn {
  const waiting: (() => void)[] = [];

  function next(): void {
    const work = waiting.shift();
    if (waiting.length > 0) setImmediate(next);
    work?.();
  }

  return (work) => {
    waiting.push(work);
    if (waiting.length === 1) setImmediate(next);
  };
}

/** Returns a function that requests a turn for `work`. A request while another one is pending has no effect. */
export function coalesceTurns(takeTurn: TakeTurn, work: () => void): () => void {
  let pending = false;
  return () => {
    if (pending) return;
    pending = true;
    takeTurn(() => {
      pending = false;
      work();
    });
  };
}
