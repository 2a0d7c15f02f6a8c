/** 97.5 % quantile of the standard normal distribution, for a two-sided 95 % interval. */
const Z = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the 95 % Wilson score interval of a proportion. It is valid for few trials, and for proportions of 0 and 1.
 * Returns undefined if there are no trials.
 */
export function wilsonInterval(successes: number, trials: number): Interval | undefined {
  if (trials === 0) return undefined;
  const rate = successes / trials;
  const square = (Z * Z) / trials;
  const centre = rate + square / 2;
  const spread = Z * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials));
  return { low: Math.max(0, (centre - spread) / (1 + square)), high: Math.min(1, (centre + spread) / (1 + square)) };
}
