import type { Answer } from '../../api/operations.ts';

export type Rule = Answer<'get', '/api/rules/{id}'>;
export type Threshold = Rule['thresholds'][number];

/** Returns the thresholds that differ from their default. */
export function changedThresholds({ thresholds }: Pick<Rule, 'thresholds'>): readonly Threshold[] {
  return thresholds.filter((threshold) => threshold.value !== threshold.default);
}
