/** Runs `work` in its own iteration of the event loop. */
export type EnqueueTask = (work: () => void) => void;

/**
 * Creates a FIFO queue that runs one task per iteration of the event loop. Sockets are not served while a lane
 * processes a chunk. With this queue, fetches and inserts wait for at most one chunk, not for one chunk of every lane.
 */
export function createTaskQueue(): EnqueueTask {
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

/** Returns a function that enqueues `work`. A call while `work` is pending has no effect. */
export function coalesceTasks(enqueueTask: EnqueueTask, work: () => void): () => void {
  let pending = false;
  return () => {
    if (pending) return;
    pending = true;
    enqueueTask(() => {
      pending = false;
      work();
    });
  };
}
