import { Worker } from 'node:worker_threads';

const MIB_OF_THE_THREAD = { maxOldGenerationSizeMb: 768 };

/**
 * Sends portions of events to a worker thread and returns its result. The thread replies to each portion. Null ends the
 * input, and the reply to null is the result. The function sends one portion at a time, so the reader of the events
 * waits for the thread. After `maxMs`, the remaining events are skipped. Rejects with the reason of `signal` when it
 * aborts, and when the thread fails or exits.
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
  /** False if the time limit was reached before all events were judged. */
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

/**
 * Returns a function that sends a portion to the thread and resolves with the reply. It rejects once the thread has
 * exited or failed, for example because it ran out of memory.
 */
function askThread(worker: Worker): (portion: unknown) => Promise<unknown> {
  let failure: Error | undefined;
  let waiting: PromiseWithResolvers<unknown> | undefined;
  function fail(error: Error): void {
    // The thread exits after an error.
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
