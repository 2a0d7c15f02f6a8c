import type { UsageRow } from './tables/agent-usage.ts';

/** Sums of the usage of runs. */
export interface Usage extends Omit<UsageRow, 'version' | 'model' | 'credits'> {
  readonly totalTokens: number;
  /** Credits of the runs with a known cost; null if no run has one. */
  readonly credits: number | null;
}

const NOTHING: Omit<UsageRow, 'version' | 'model'> = {
  runs: 0,
  ended: 0,
  unpricedRuns: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  steps: 0,
  toolCalls: 0,
  durationMs: 0,
  credits: 0,
};
const NAMES = Object.keys(NOTHING) as readonly (keyof typeof NOTHING)[];

/** Sums rows. The cost is null only if all ended runs lack it. */
export function usageOf(rows: readonly UsageRow[]): Usage {
  const sums = Object.fromEntries(
    NAMES.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]),
  ) as typeof NOTHING;
  return {
    ...sums,
    totalTokens: sums.inputTokens + sums.outputTokens,
    credits: sums.ended > 0 && sums.unpricedRuns === sums.ended ? null : sums.credits,
  };
}

/** Sums by a key of the rows, in order of the first occurrence of each key. */
export function usageBy<K extends 'version' | 'model'>(
  rows: readonly UsageRow[],
  key: K,
): (Usage & Pick<UsageRow, K>)[] {
  return [...Map.groupBy(rows, (row) => row[key])].map(
    ([value, of]) => ({ [key]: value, ...usageOf(of) }) as Usage & Pick<UsageRow, K>,
  );
}
