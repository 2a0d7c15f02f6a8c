/** Longest distance that is compared, seconds. */
const MAX_LAG = 120;
/** Times must span the distance so many times. */
const MIN_PERIODS = 3;
/** Correlation of the counts with those one period later, from which on they repeat. */
const MIN_CORRELATION = 0.7;
/** Share of the gaps that are equal when one worker is started again. */
const MIN_EQUAL = 0.9;

/** Whether the log that these times come from has no fractions of seconds, as that of rsyslog by default. */
export function areWholeSeconds(times: readonly number[]): boolean {
  return times.every((t) => Number.isInteger(t));
}

/**
 * Whether crashes at these times (whole seconds, ascending) come from restarts after a fixed pause. Whole seconds hide the exact pause, and every distance
 * occurs where there is a crash in most seconds. Two signs remain:
 *  - nearly every gap is equal: one worker;
 *  - the counts of crashes in each second repeat after a period: several workers. Those of requests do not, whether they are even or random.
 */
export function repeatInWholeSeconds(times: readonly number[]): boolean {
  const first = times[0];
  const last = times.at(-1);
  if (first === undefined || last === undefined || last - first < MIN_PERIODS) return false;
  if (areGapsEqual(times)) return true;
  const span = last - first + 1;
  const maxLag = Math.min(MAX_LAG, Math.floor(span / MIN_PERIODS));
  // Most seconds of a long span have no crash, and need no entry.
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

/** Pearson's correlation of the counts in each second with those `lag` seconds later; 0 when one of both does not vary. */
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
