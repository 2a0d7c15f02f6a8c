import type { UsageRow } from './tables/agent-usage.ts';

/** Sums of what runs used. */
export interface Usage extends Omit<UsageRow, 'version' | 'model' | 'credits'> {
  readonly totalTokens: number;
  /** Of the runs with a known cost; null when none has one. */
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

/** Adds up rows. A cost is known unless every run that ended lacks it. */
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

/** The sums by a key of the rows, in the order in which the keys come first. */
export function usageBy<K extends 'version' | 'model'>(
  rows: readonly UsageRow[],
  key: K,
): (Usage & Pick<UsageRow, K>)[] {
  return [...Map.groupBy(rows, (row) => row[key])].map(
    ([value, of]) => ({ [key]: value, ...usageOf(of) }) as Usage & Pick<UsageRow, K>,
  );
}
