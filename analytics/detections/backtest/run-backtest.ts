import type { BacktestFound, BacktestPortion, BacktestTask } from './backtest-worker.ts';
import { judgeInThread } from './judge-in-thread.ts';

export interface BacktestRun extends BacktestFound {
  /** Number of events judged. */
  readonly events: number;
  /** False if the time limit was reached before all events were judged. */
  readonly complete: boolean;
}

/**
 * Judges events twice in a worker thread: with the current and with the proposed settings. `portions` holds the events
 * lane by lane, in order within each lane. After `maxMs`, the remaining events are skipped.
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
