/**
 * Serializes calls of `work`. A call during a run starts one more run after it, and resolves with that run. `work` must
 * not reject.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  async function run(): Promise<void> {
    await work();
  }
  function start(): Promise<void> {
    running = run().finally(() => {
      running = undefined;
    });
    return running;
  }
  return () => {
    if (running === undefined) return start();
    next ??= running.then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
}
