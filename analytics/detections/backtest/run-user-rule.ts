import type { Detection } from '#schemas/detection.ts';
import { judgeInThread } from './judge-in-thread.ts';
import type { UserRuleTask } from './user-rule-worker.ts';

/** Judges rows of events by one user rule in a worker thread. After `maxMs`, the remaining rows are skipped. */
export async function runUserRule(
  task: UserRuleTask,
  rows: AsyncIterable<Uint8Array>,
  {
    maxMs,
    signal,
    onJudged,
  }: {
    readonly maxMs: number;
    readonly signal?: AbortSignal;
    /** Called with the number of rows judged so far. */
    readonly onJudged?: ((judged: number) => void) | undefined;
  },
): Promise<{ readonly detections: readonly Detection[]; readonly complete: boolean }> {
  let judged = 0;
  const { found, complete } = await judgeInThread<Uint8Array, readonly Detection[]>(
    { file: new URL('./user-rule-worker.ts', import.meta.url), task },
    rows,
    {
      maxMs,
      signal,
      ...(onJudged && {
        onJudged: (chunk: Uint8Array) => {
          judged += countLines(chunk);
          onJudged(judged);
        },
      }),
    },
  );
  return { detections: found, complete };
}

/** Counts line feeds. Each row ends with one, and JSON rows contain no others. */
function countLines(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}
