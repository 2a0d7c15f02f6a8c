import type { Recorded } from './rule.ts';

/** Spans over which the share of failures is recorded. */
export type Span = '5m' | '30m' | '1h' | '2h' | '6h' | '1d' | '3d';
export const SPANS: readonly Span[] = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'];

/** A long span says that it matters, the short one that it goes on, so that the alert ends soon after the failures. */
interface Burn {
  /** How many times faster than the budget allows. */
  readonly times: number;
  readonly long: Span;
  readonly short: Span;
}

/** 2 % of the budget of 30 days in an hour, 5 % in six. */
export const FAST: readonly Burn[] = [
  { times: 14.4, long: '1h', short: '5m' },
  { times: 6, long: '6h', short: '30m' },
];
/** 10 % of it in a day, and all of it if the month goes on like these three days. */
export const SLOW: readonly Burn[] = [
  { times: 3, long: '1d', short: '2h' },
  { times: 1, long: '3d', short: '6h' },
];

/** What a service promises: a share of good outcomes over 30 days. */
export interface Objective {
  /** The share that may fail. */
  readonly budget: number;
  /** Name of the recorded share of failures within a span. */
  readonly ratio: (span: Span) => string;
  /** PromQL of all outcomes within a span, with `rate` or `increase`. */
  readonly total: (read: 'rate' | 'increase', span: Span) => string;
  readonly failed: (read: 'rate' | 'increase', span: Span) => string;
  /** Fewer failures within the long span are no reason for an alert. */
  readonly minFailures: number;
}

/** The share of failures within each span. Failures that never happened have no series: then the share is 0, not unknown. */
export function recordedShares({ ratio, total, failed }: Objective): Recorded[] {
  return SPANS.map((span) => {
    const all = total('rate', span);
    return { record: ratio(span), expr: `(${failed('rate', span)} or 0 * ${all}) / ${all}` };
  });
}

/** True while the budget is spent faster than one of these burn rates allows. */
export function burning({ budget, ratio, failed, minFailures }: Objective, burns: readonly Burn[]): string {
  return burns
    .map(({ times, long, short }) => {
      const limit = `> ${times} * ${budget}`;
      const enough = `${failed('increase', long)} >= ${minFailures}`;
      return `(${ratio(long)} ${limit} and ${ratio(short)} ${limit} and ${enough})`;
    })
    .join(' or ');
}
