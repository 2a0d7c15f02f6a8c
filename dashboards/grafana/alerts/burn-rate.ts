import type { Recorded } from './rule.ts';

/** Time ranges for which the share of failures is recorded. */
export type Span = '5m' | '30m' | '1h' | '2h' | '6h' | '1d' | '3d';
export const SPANS: readonly Span[] = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'];

/**
 * The long range shows that the failures matter, and the short one that they continue. The alert therefore ends soon
 * after the failures.
 */
interface Burn {
  /** Burn rate: how many times faster than allowed the budget is spent. */
  readonly times: number;
  readonly long: Span;
  readonly short: Span;
}

/** Spends 2 % of the 30-day budget in an hour, or 5 % in six. */
export const FAST: readonly Burn[] = [
  { times: 14.4, long: '1h', short: '5m' },
  { times: 6, long: '6h', short: '30m' },
];
/** Spends 10 % of the budget in a day, or all of it if the rate of these three days continues for a month. */
export const SLOW: readonly Burn[] = [
  { times: 3, long: '1d', short: '2h' },
  { times: 1, long: '3d', short: '6h' },
];

/** A service level objective: a share of good outcomes over 30 days. */
export interface Objective {
  /** The share that may fail. */
  readonly budget: number;
  /** Returns the name of the recorded share of failures in a time range. */
  readonly ratio: (span: Span) => string;
  /** Returns the PromQL of all outcomes in a time range, with `rate` or `increase`. */
  readonly total: (read: 'rate' | 'increase', span: Span) => string;
  readonly failed: (read: 'rate' | 'increase', span: Span) => string;
  /** Minimum number of failures in the long range for an alert. */
  readonly minFailures: number;
}

/**
 * Returns recording rules for the share of failures in each time range. Without failures there is no series: the share
 * is then 0, not unknown.
 */
export function recordedShares({ ratio, total, failed }: Objective): Recorded[] {
  return SPANS.map((span) => {
    const all = total('rate', span);
    return { record: ratio(span), expr: `(${failed('rate', span)} or 0 * ${all}) / ${all}` };
  });
}

/** Returns PromQL that is true while the budget is spent faster than one of these burn rates. */
export function burning({ budget, ratio, failed, minFailures }: Objective, burns: readonly Burn[]): string {
  return burns
    .map(({ times, long, short }) => {
      const limit = `> ${times} * ${budget}`;
      const enough = `${failed('increase', long)} >= ${minFailures}`;
      return `(${ratio(long)} ${limit} and ${ratio(short)} ${limit} and ${enough})`;
    })
    .join(' or ');
}
