import { decimalText } from '../../language/numbers.ts';
import type { ExperimentResult } from './experiment-queries.ts';

/** Formats a p-value with three decimals. Smaller values are `< 0.001`. */
export function pText(value: number): string {
  return value < 0.001 ? `< ${decimalText(0.001, 3)}` : `= ${decimalText(value, 3)}`;
}

/**
 * Returns how the result of an example changed from the baseline to the candidate. `open`: one of them has no verdict.
 */
export function changeOf({
  baseline,
  candidate,
}: Pick<ExperimentResult['rows'][number], 'baseline' | 'candidate'>): 'improved' | 'regressed' | 'same' | 'open' {
  const before = baseline?.evaluation?.passed ?? null;
  const after = candidate?.evaluation?.passed ?? null;
  if (before === null || after === null) return 'open';
  if (before === after) return 'same';
  return after ? 'improved' : 'regressed';
}
