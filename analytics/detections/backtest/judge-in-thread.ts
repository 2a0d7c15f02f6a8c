import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const MIB_OF_THE_THREAD = { maxOldGenerationSizeMb: 768 };

/**
 * Sends portions of events to a thread of its own and returns what it found. The thread answers each portion, and null, which ends the work, with what
 * it found. One portion is sent at a time, so the reader of the events waits for the thread. After `maxMs` the rest is left out. Rejects with the
 * reason of `signal` once that aborts.
 */
export async function judgeInThread<Portion, Found>(
  { file, task }: { readonly file: URL; readonly task: unknown },
  portions: AsyncIterable<Portion>,
  {
    maxMs,
    onJudged,
    signal,
  }: {
    readonly maxMs: number;
    readonly onJudged?: (portion: Portion) => void;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<{
  readonly found: Found;
  /** False when the time was over before all events were judged. */
  readonly complete: boolean;
}> {
  signal?.throwIfAborted();
  const worker = new Worker(file, { workerData: task, resourceLimits: MIB_OF_THE_THREAD });
  const until = performance.now() + maxMs;
  let complete = true;
  try {
    for await (const portion of portions) {
      await ask(worker, portion);
      onJudged?.(portion);
      signal?.throwIfAborted();
      if (performance.now() < until) continue;
      complete = false;
      break;
    }
    const found = await ask(worker, null);
    if (found === null) throw new Error('the back-test ended without an answer');
    return { found: found as Found, complete };
  } finally {
    await worker.terminate();
  }
}

async function ask(worker: Worker, portion: unknown): Promise<unknown> {
  worker.postMessage(portion);
  // Rejects with the error of the thread, such as too little memory.
  const [answer] = await once(worker, 'message');
  return answer;
}
