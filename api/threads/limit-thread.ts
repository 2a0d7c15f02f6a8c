import type { Worker } from 'node:worker_threads';

/** On the clock, whatever the machine does. */
const MAX_TIMES = 10;
/** What the number of a thread is that has ended; one that has not begun yet has its own. */
const GONE = -1;

/**
 * Calls `onEnd` once a thread has worked for longer than its limit, ms; gives the call that stops watching. On a busy machine a thread can be kept waiting
 * for longer than it works: half of the limit is time on the clock, the other half is what the thread works from then on, and only up to ten times the
 * limit on the clock.
 */
export function limitThread(
  worker: Pick<Worker, 'cpuUsage' | 'threadId'>,
  limitMs: number,
  onEnd: () => void,
): () => void {
  const half = limitMs / 2;
  // A thread in a long call of the engine itself does not even say what it worked.
  const latest = setTimeout(end, limitMs * MAX_TIMES);
  let workedMs: number | undefined;
  let stopped = false;
  let timer = setTimeout(check, half);

  async function check(): Promise<void> {
    const usage = await worker.cpuUsage().catch(() => undefined);
    if (stopped) return;
    const left = worker.threadId === GONE ? 0 : leftOf(usage);
    // Half a millisecond is nothing that a timer can wait for.
    if (left <= 0.5) end();
    else timer = setTimeout(check, left);
  }

  /** A thread that has not begun yet reports no usage: its time begins later. */
  function leftOf(usage: NodeJS.CpuUsage | undefined): number {
    if (usage === undefined) return half;
    const worked = (usage.user + usage.system) / 1_000;
    workedMs ??= worked;
    return half - (worked - workedMs);
  }

  function end(): void {
    stop();
    onEnd();
  }

  function stop(): void {
    stopped = true;
    clearTimeout(timer);
    clearTimeout(latest);
  }

  return stop;
}
