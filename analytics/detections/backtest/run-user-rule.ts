import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Detection } from '#schemas/detection.ts';
import type { UserRuleAnswer, UserRulePortion, UserRuleTask } from './user-rule-worker.ts';

const MIB_OF_THE_THREAD = { maxOldGenerationSizeMb: 768 };

/** Judges rows of events by one user rule in a thread of its own. When `maxMs` is over the rest is left out. */
export async function runUserRule(
  task: UserRuleTask,
  rows: AsyncIterable<Uint8Array>,
  { maxMs }: { readonly maxMs: number },
): Promise<{ readonly detections: readonly Detection[]; readonly complete: boolean }> {
  const worker = new Worker(new URL('./user-rule-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: MIB_OF_THE_THREAD,
  });
  const until = performance.now() + maxMs;
  let complete = true;
  try {
    for await (const portion of rows) {
      await ask(worker, portion);
      if (performance.now() < until) continue;
      complete = false;
      break;
    }
    const detections = await ask(worker, null);
    if (detections === null) throw new Error('the back-test ended without an answer');
    return { detections, complete };
  } finally {
    await worker.terminate();
  }
}

async function ask(worker: Worker, portion: UserRulePortion): Promise<UserRuleAnswer> {
  worker.postMessage(portion);
  // Rejects with the error of the thread, such as too little memory.
  const [answer] = await once(worker, 'message');
  return answer as UserRuleAnswer;
}
