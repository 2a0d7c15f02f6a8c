/** Makes work that may be asked for at any moment run once at a time: who asks while it runs makes it run once more, and waits for that. It must not reject. */
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
