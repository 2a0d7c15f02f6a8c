/** Fewer crashes show no pattern. */
const MIN_CRASHES = 40;
/** A gap is short below this part of the median gap, and long above this multiple of it. */
const SHORT = 0.25;
const LONG = 3;
/**
 * Of the gaps between independent events (exponential), 15.9 % are shorter than a quarter of the median, and 12.5 % longer than three times it. Both
 * shares lie within these bounds for 99 of 100 draws of 160 gaps, and for 98 of 120. In a log of whole seconds this holds where the mean gap is three seconds or more.
 */
const SHORT_SHARE = { from: 0.09, to: 0.24 } as const;
const LONG_SHARE = { from: 0.05, to: 0.24 } as const;

/**
 * Whether crashes at these times (seconds, ascending) come at random, as those do that many independent clients cause. One attacker waits for each answer:
 * no gap is much shorter than the others. Pairs and bursts have too many short gaps.
 */
export function arriveAtRandom(times: readonly number[]): boolean {
  if (times.length < MIN_CRASHES) return false;
  const gaps = times.slice(1).map((t, i) => t - (times[i] as number));
  const sorted = [...gaps].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] as number;
  const share = (is: (gap: number) => boolean) => gaps.filter(is).length / gaps.length;
  const short = share((gap) => gap < median * SHORT);
  const long = share((gap) => gap > median * LONG);
  return isWithin(short, SHORT_SHARE) && isWithin(long, LONG_SHARE);
}

function isWithin(share: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
  return share >= from && share <= to;
}
