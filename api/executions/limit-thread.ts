import type { Worker } from 'node:worker_threads';

/** On the clock, whatever the machine does. */
const MOST_TIMES = 10;

/**
 * Calls `onEnd` once a thread has worked for longer than its limit, ms; gives the call that stops watching. On a busy machine a thread can be kept waiting
 * for longer than it works: half of the limit is time on the clock, the other half is what the thread works from then on, and only up to ten times the
 * limit on the clock.
 */
export function limitThread(worker: Worker, limitMs: number, onEnd: () => void): () => void {
  const half = limitMs / 2;
  const deadline = performance.now() + limitMs * MOST_TIMES;
  let workedMs: number | undefined;
  let stopped = false;
  let timer = setTimeout(check, half);

  async function check(): Promise<void> {
    const usage = await worker.cpuUsage().catch(() => undefined);
    if (stopped) return;
    const worked = usage === undefined ? Number.POSITIVE_INFINITY : (usage.user + usage.system) / 1_000;
    workedMs ??= worked;
    const left = half - (worked - workedMs);
    // Half a millisecond is nothing that a timer can wait for.
    if (!(left > 0.5) || performance.now() > deadline) onEnd();
    else timer = setTimeout(check, left);
  }

  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
