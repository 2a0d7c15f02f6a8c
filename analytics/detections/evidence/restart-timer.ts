import { areWholeSeconds, repeatInWholeSeconds } from './whole-seconds.ts';

/** Minimum period, seconds. A shorter pause cannot be distinguished from the time that a request takes. */
const MIN_PERIOD = 0.5;
const MAX_PERIOD = 120;
/** Accuracy of timers plus the time until the restarted program fails, as a share of the period and in seconds. */
const JITTER = 0.02;
const MIN_JITTER = 0.03;
/**
 * Bounds of even gaps, as of sequential requests: four of five gaps are at most this many times longer or shorter than
 * the median.
 */
const EVEN = 1.5;
/** Candidate periods closer together than this count as one, seconds. */
const STEP = 0.01;
/** Minimum share of crashes that are followed by another one after one period. */
const MIN_SHARE = 0.8;
/** Minimum excess of that share over the share of random times with the same rate. */
const MIN_EXCESS = 0.4;

/**
 * Returns true if crashes at these times (seconds, ascending) come from restarts after a fixed pause. Nearly every
 * crash is then followed by another one exactly one period later, for one worker or several workers. Times of requests
 * do not repeat so exactly. An attacker can imitate a timer, but is then limited to one try per period.
 *
 * Compares the share of followed crashes with that of random times of the same rate, `1 - exp(-2 * rate * jitter)`. At
 * high rates, every pause occurs and proves nothing. In a log of whole seconds, any crash within a second can match a
 * distance, not only those within the jitter.
 */
export function followsTimer(times: readonly number[]): boolean {
  const first = times[0];
  const last = times.at(-1);
  if (first === undefined || last === undefined || last <= first) return false;
  const isWhole = areWholeSeconds(times);
  if (isWhole && repeatInWholeSeconds(times)) return true;
  if (isEvenlyFast(times, (last - first) / (times.length - 1))) return false;
  const period = mostFrequentDistance(times);
  if (period === undefined || last - first < 3 * period) return false;
  const jitter = Math.max(MIN_JITTER, period * JITTER);
  let followed = 0;
  let possible = 0;
  let from = 0;
  for (const t of times) {
    if (t + period > last + jitter) break;
    possible += 1;
    while ((times[from] as number) < t + period - jitter) from += 1;
    if ((times[from] as number) <= t + period + jitter) followed += 1;
  }
  const share = followed / possible;
  const reach = isWhole ? Math.max(1, 2 * jitter) : 2 * jitter;
  const byChance = 1 - Math.exp((-reach * times.length) / (last - first));
  return share >= MIN_SHARE && share - byChance >= MIN_EXCESS;
}

/**
 * Returns true for sequential requests that take equal time, whose multiples are no timer. Their gaps vary by more than
 * a timer does, and the variations add up, so no distance repeats exactly. Unsynchronised workers can have such gaps by
 * chance, but their periods repeat.
 */
function isEvenlyFast(times: readonly number[], meanGap: number): boolean {
  if (meanGap >= MIN_PERIOD) return false;
  const gaps = times
    .slice(1)
    .map((t, i) => t - (times[i] as number))
    .sort((a, b) => a - b);
  const part = (share: number) => gaps[Math.floor(share * (gaps.length - 1))] as number;
  const median = part(0.5);
  if (part(0.9) - part(0.1) > 2 * MIN_JITTER) return false;
  return meanGap <= EVEN * median && part(0.9) <= EVEN * median && part(0.1) * EVEN >= median;
}

/** Returns the most frequent distance between two crashes, from `MIN_PERIOD` up. For a tie, the shortest. */
function mostFrequentDistance(times: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (let i = 0; i < times.length; i += 1) {
    for (let k = i + 1; k < times.length; k += 1) {
      const distance = (times[k] as number) - (times[i] as number);
      if (distance > MAX_PERIOD) break;
      if (distance < MIN_PERIOD) continue;
      const step = Math.round(distance / STEP);
      counts.set(step, (counts.get(step) ?? 0) + 1);
    }
  }
  let best: number | undefined;
  let most = 0;
  for (const [step, count] of counts) {
    // Adjacent steps share the distances of one timer.
    const sum = count + (counts.get(step - 1) ?? 0) + (counts.get(step + 1) ?? 0);
    if (sum > most || (sum === most && best !== undefined && step < best)) {
      most = sum;
      best = step;
    }
  }
  return best === undefined ? undefined : best * STEP;
}
