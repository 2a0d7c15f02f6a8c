import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BacktestAnswer, BacktestFound, BacktestPortion, BacktestTask } from './backtest-worker.ts';

export interface BacktestRun extends BacktestFound {
  /** Events that were judged. */
  readonly events: number;
  /** False when the time was over before all events were judged. */
  readonly complete: boolean;
}

/** Of the thread, for two trackers and what they found. */
const MIB_OF_THE_THREAD = { maxOldGenerationSizeMb: 768 };

/**
 * Judges events twice, by the settings that hold and by those proposed, in a thread of its own. `portions`: events lane by lane, in each lane in
 * their order. One portion is on its way at a time, so whatever feeds it waits. When `maxMs` is over the rest is left out.
 */
export async function runBacktest(
  task: BacktestTask,
  portions: AsyncIterable<NonNullable<BacktestPortion>>,
  { maxMs }: { readonly maxMs: number },
): Promise<BacktestRun> {
  const worker = new Worker(new URL('./backtest-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: MIB_OF_THE_THREAD,
  });
  const until = performance.now() + maxMs;
  let events = 0;
  let complete = true;
  try {
    for await (const portion of portions) {
      await ask(worker, portion);
      events += portion.length;
      if (performance.now() < until) continue;
      complete = false;
      break;
    }
    const found = await ask(worker, null);
    if (found === null) throw new Error('the back-test ended without an answer');
    return { ...found, events, complete };
  } finally {
    await worker.terminate();
  }
}

async function ask(worker: Worker, portion: BacktestPortion): Promise<BacktestAnswer> {
  worker.postMessage(portion);
  // Rejects with what the thread failed of, its memory among it.
  const [answer] = await once(worker, 'message');
  return answer as BacktestAnswer;
}
