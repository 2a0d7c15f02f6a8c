import type { Answer } from '../../api/operations.ts';

export type Rule = Answer<'get', '/api/rules/{id}'>;
export type Threshold = Rule['thresholds'][number];

/** Thresholds that differ from the default. */
export function changedThresholds({ thresholds }: Pick<Rule, 'thresholds'>): readonly Threshold[] {
  return thresholds.filter((threshold) => threshold.value !== threshold.default);
}
