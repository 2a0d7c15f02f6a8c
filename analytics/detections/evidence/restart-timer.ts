import { areWholeSeconds, repeatInWholeSeconds } from './whole-seconds.ts';

/** A shorter pause cannot be distinguished from the time that a request takes. */
const MIN_PERIOD = 0.5;
const MAX_PERIOD = 120;
/** Timers are this exact, and the restarted program takes this long to fail, as a share of the period and in seconds. */
const JITTER = 0.02;
const MIN_JITTER = 0.03;
/** Requests one after the other: four gaps of five are at most this many times as long as the median, or as short. */
const EVEN = 1.5;
/** Candidates closer together than this are one. */
const STEP = 0.01;
/** Of the crashes this share has a follower one period later. */
const MIN_SHARE = 0.8;
/** And this much more than crashes at random times of the same rate would have. */
const MIN_EXCESS = 0.4;

/**
 * Whether crashes at these times (seconds, ascending) come from restarts after a fixed pause: nearly every crash is followed by another one
 * exactly one period later, for one worker or several at once. The times of requests do not repeat so exactly: an attacker can imitate
 * a timer, at the price of one try a period.
 *
 * The share of followers is compared with that of random times of the same rate, `1 - exp(-2 * rate * jitter)`: at high rates every
 * pause is found everywhere and means nothing. In a log of whole seconds a distance can be met by any crash of a second, not only by those within the jitter.
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
 * One request after the other, each of which takes the same time: its multiples are no timer. Gaps that vary by more than a timer does add up from
 * request to request, so no distance repeats exactly; workers that are out of step by chance have such gaps, and their periods repeat.
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

/** The distance between two crashes that occurs most often, from `MIN_PERIOD` on; the shortest of equals. */
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
    // Neighbouring steps share the distances of one timer.
    const sum = count + (counts.get(step - 1) ?? 0) + (counts.get(step + 1) ?? 0);
    if (sum > most || (sum === most && best !== undefined && step < best)) {
      most = sum;
      best = step;
    }
  }
  return best === undefined ? undefined : best * STEP;
}
