import type { Detection } from '#schemas/detection.ts';
import { judgeInThread } from './judge-in-thread.ts';
import type { UserRuleTask } from './user-rule-worker.ts';

/** Judges rows of events by one user rule in a thread of its own. When `maxMs` is over the rest is left out. */
export async function runUserRule(
  task: UserRuleTask,
  rows: AsyncIterable<Uint8Array>,
  { maxMs, signal }: { readonly maxMs: number; readonly signal?: AbortSignal },
): Promise<{ readonly detections: readonly Detection[]; readonly complete: boolean }> {
  const { found, complete } = await judgeInThread<Uint8Array, readonly Detection[]>(
    { file: new URL('./user-rule-worker.ts', import.meta.url), task },
    rows,
    { maxMs, signal },
  );
  return { detections: found, complete };
}
