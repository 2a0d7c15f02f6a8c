import type { Worker } from 'node:worker_threads';

/** Maximum wall-clock time, as a multiple of the limit. */
const MAX_TIMES = 10;
/** `threadId` of a thread that has ended. A thread that has not started has a regular id. */
const ENDED_THREAD_ID = -1;

/**
 * Calls `onEnd` once a thread has worked for longer than its limit in ms. Returns a function that ends the watch. On a
 * busy machine, a thread may wait for longer than it works. So half of the limit is wall-clock time, and the other half
 * is processor time measured from then on. The total is bounded by ten times the limit in wall-clock time.
 */
export function limitThread(
  worker: Pick<Worker, 'cpuUsage' | 'threadId'>,
  limitMs: number,
  onEnd: () => void,
): () => void {
  const half = limitMs / 2;
  // A thread in a long native call does not even report its processor time.
  const latest = setTimeout(end, limitMs * MAX_TIMES);
  let workedMs: number | undefined;
  let stopped = false;
  let timer = setTimeout(check, half);

  async function check(): Promise<void> {
    const usage = await worker.cpuUsage().catch(() => undefined);
    if (stopped) return;
    const left = worker.threadId === ENDED_THREAD_ID ? 0 : leftOf(usage);
    // Below half a millisecond, no timer is precise enough.
    if (left <= 0.5) end();
    else timer = setTimeout(check, left);
  }

  /** Returns the remaining time. A thread that has not started reports no usage, so its time begins later. */
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
