import { Worker } from 'node:worker_threads';

const MIB_OF_THE_THREAD = { maxOldGenerationSizeMb: 768 };

/**
 * Sends portions of events to a thread of its own and returns what it found. The thread answers each portion, and null, which ends the work, with what
 * it found. One portion is sent at a time, so the reader of the events waits for the thread. After `maxMs` the rest is left out. Rejects with the
 * reason of `signal` once that aborts, and when the thread fails or exits.
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
  const ask = askThread(worker);
  const until = performance.now() + maxMs;
  let complete = true;
  try {
    for await (const portion of portions) {
      await ask(portion);
      onJudged?.(portion);
      signal?.throwIfAborted();
      if (performance.now() < until) continue;
      complete = false;
      break;
    }
    const found = await ask(null);
    if (found === null) throw new Error('the back-test ended without an answer');
    return { found: found as Found, complete };
  } finally {
    await worker.terminate();
  }
}

/** Returns what sends a portion to the thread and returns its answer. That rejects once the thread has failed, such as for too little memory, or exited. */
function askThread(worker: Worker): (portion: unknown) => Promise<unknown> {
  let failure: Error | undefined;
  let waiting: PromiseWithResolvers<unknown> | undefined;
  function fail(error: Error): void {
    // An error is followed by the exit of the thread.
    failure ??= error;
    waiting?.reject(failure);
  }
  worker.on('message', (answer) => waiting?.resolve(answer));
  worker.on('messageerror', fail);
  worker.on('error', fail);
  worker.on('exit', (code) =>
    fail(new Error(`the thread of the back-test exited before its answer, with code ${code}`)),
  );
  return async (portion) => {
    if (failure !== undefined) throw failure;
    waiting = Promise.withResolvers();
    worker.postMessage(portion);
    return waiting.promise;
  };
}
