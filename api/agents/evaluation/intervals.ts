/** Of the standard normal distribution, for 95 %. */
const Z = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The Wilson score interval of a proportion, 95 %. It holds for few trials and for proportions of 0 and 1 too. Undefined without trials. */
export function wilsonInterval(successes: number, trials: number): Interval | undefined {
  if (trials === 0) return undefined;
  const rate = successes / trials;
  const square = (Z * Z) / trials;
  const centre = rate + square / 2;
  const spread = Z * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials));
  return { low: Math.max(0, (centre - spread) / (1 + square)), high: Math.min(1, (centre + spread) / (1 + square)) };
}
