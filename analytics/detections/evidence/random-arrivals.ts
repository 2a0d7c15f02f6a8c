/** Minimum number of crashes that can show a pattern. */
const MIN_CRASHES = 40;
/** A gap is short below this fraction of the median gap, and long above this multiple of it. */
const SHORT = 0.25;
const LONG = 3;
/**
 * Bounds of the shares of short and long gaps. Of the gaps between independent events (exponential), 15.9 % are shorter
 * than a quarter of the median, and 12.5 % longer than three times it. Both shares lie within these bounds for 99 of
 * 100 samples of 160 gaps, and for 98 of 100 samples of 120 gaps. In a log of whole seconds, this requires a mean gap
 * of at least three seconds.
 */
const SHORT_SHARE = { from: 0.09, to: 0.24 } as const;
const LONG_SHARE = { from: 0.05, to: 0.24 } as const;

/**
 * Returns true if crashes at these times (seconds, ascending) are random, like those that many independent clients
 * cause. A single attacker waits for each answer, so no gap is much shorter than the rest. Pairs and bursts have too
 * many short gaps.
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
