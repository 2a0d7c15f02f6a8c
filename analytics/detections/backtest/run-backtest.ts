import type { BacktestFound, BacktestPortion, BacktestTask } from './backtest-worker.ts';
import { judgeInThread } from './judge-in-thread.ts';

export interface BacktestRun extends BacktestFound {
  /** Events that were judged. */
  readonly events: number;
  /** False when the time was over before all events were judged. */
  readonly complete: boolean;
}

/**
 * Judges events twice, by the present and by the proposed settings, in a separate thread. `portions`: events lane by lane, in each lane in
 * their order. When `maxMs` is over the rest is left out.
 */
export async function runBacktest(
  task: BacktestTask,
  portions: AsyncIterable<NonNullable<BacktestPortion>>,
  {
    maxMs,
    signal,
    onJudged,
  }: {
    readonly maxMs: number;
    readonly signal?: AbortSignal;
    /** Called with the number of events judged so far. */
    readonly onJudged?: ((judged: number) => void) | undefined;
  },
): Promise<BacktestRun> {
  let events = 0;
  const { found, complete } = await judgeInThread<NonNullable<BacktestPortion>, BacktestFound>(
    { file: new URL('./backtest-worker.ts', import.meta.url), task },
    portions,
    {
      maxMs,
      signal,
      onJudged: ({ length }) => {
        events += length;
        onJudged?.(events);
      },
    },
  );
  return { ...found, events, complete };
}
