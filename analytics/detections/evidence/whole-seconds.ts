/** Longest period that is tested, seconds. */
const MAX_LAG = 120;
/** Minimum number of periods that the times must span. */
const MIN_PERIODS = 3;
/** Minimum correlation of the counts with the counts one period later, at which they repeat. */
const MIN_CORRELATION = 0.7;
/** Minimum share of equal gaps, at which a single worker is being restarted. */
const MIN_EQUAL = 0.9;

/** Returns true if no time has a fraction of a second, as in logs of rsyslog with default settings. */
export function areWholeSeconds(times: readonly number[]): boolean {
  return times.every((t) => Number.isInteger(t));
}

/**
 * Returns true if crashes at these times (whole seconds, ascending) come from restarts after a fixed pause. Whole
 * seconds hide the exact pause, and if most seconds have a crash, every distance occurs. Two signs remain:
 * - nearly every gap is equal: one worker;
 * - the counts of crashes per second repeat after a period: several workers. The counts of requests do not repeat,
 *   whether they are even or random.
 */
export function repeatInWholeSeconds(times: readonly number[]): boolean {
  const first = times[0];
  const last = times.at(-1);
  if (first === undefined || last === undefined || last - first < MIN_PERIODS) return false;
  if (areGapsEqual(times)) return true;
  const span = last - first + 1;
  const maxLag = Math.min(MAX_LAG, Math.floor(span / MIN_PERIODS));
  // A map, because most seconds of a long span have no crash.
  const counts = new Map<number, number>();
  for (const t of times) counts.set(t, (counts.get(t) ?? 0) + 1);
  for (let lag = 1; lag <= maxLag; lag += 1) if (correlation(counts, first, last, lag) >= MIN_CORRELATION) return true;
  return false;
}

function areGapsEqual(times: readonly number[]): boolean {
  const gaps = new Map<number, number>();
  for (let i = 1; i < times.length; i += 1) {
    const gap = (times[i] as number) - (times[i - 1] as number);
    gaps.set(gap, (gaps.get(gap) ?? 0) + 1);
  }
  return [...gaps].some(([gap, count]) => gap > 0 && count >= (times.length - 1) * MIN_EQUAL);
}

/** Pearson's correlation of the counts per second with those `lag` seconds later. 0 if one of them is constant. */
function correlation(counts: ReadonlyMap<number, number>, first: number, last: number, lag: number): number {
  const pairs = last - first + 1 - lag;
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
  for (const [t, count] of counts) {
    if (t <= last - lag) {
      sumA += count;
      squaresA += count * count;
      products += count * (counts.get(t + lag) ?? 0);
    }
    if (t >= first + lag) {
      sumB += count;
      squaresB += count * count;
    }
  }
  const varianceA = squaresA - (sumA * sumA) / pairs;
  const varianceB = squaresB - (sumB * sumB) / pairs;
  const covariance = products - (sumA * sumB) / pairs;
  return varianceA <= 0 || varianceB <= 0 ? 0 : covariance / Math.sqrt(varianceA * varianceB);
}
