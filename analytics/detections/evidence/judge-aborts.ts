import type { Deliberate } from './deliberate-traps.ts';
import { arriveAtRandom } from './random-arrivals.ts';
import { followsTimer } from './restart-timer.ts';

/** Number of aborts of an image between two expensive judgements. */
const JUDGE_EVERY = 8;
/** The kernel prints ten trap lines of a burst and suppresses the rest. */
export const PRINTED_AT_ONCE = 10;

/** How an episode was found. It is the first detail of the episode. */
export const ABORT_PACES = ['fast', 'slow', 'random', 'timer', 'traps', 'returns', 'unidentified'] as const;
export type AbortPace = (typeof ABORT_PACES)[number];

/** Thresholds that this evidence uses. */
export interface AbortSettings {
  readonly window: number;
  readonly slowWindow: number;
  readonly quiet: number;
  readonly minAborts: number;
  readonly minSlowAborts: number;
  readonly minTimedAborts: number;
  readonly minTraps: number;
  readonly minChanged: number;
}

/** One abort of the judged image: its index in the list, and its time in seconds. */
export interface Abort {
  readonly index: number;
  readonly t: number;
}

export interface FoundAborts {
  readonly aborts: readonly Abort[];
  readonly pace: AbortPace;
}

/**
 * Returns the aborts of one image if they are a probe, otherwise undefined.
 *
 * A canary has seven unknown bytes. Each costs 128 tries on average and 256 at most, so an attack causes about 900
 * aborts of one image. If a program aborts by itself, its supervisor executes it again, and each execution is another
 * image. The exception is a parent that forks workers which abort by themselves after a pause. Their restarts follow a
 * timer, and the requests of an attack do not.
 * - fast: `minAborts` within `window`, more than parents with a pause cause;
 * - slow: `minSlowAborts` within `slowWindow`, an eighth of an attack;
 * - random: the count of fast or slow, at the times that many independent clients cause when they trigger a fault of
 *   the program. An attacker can imitate such pauses;
 * - timer: restarts after a fixed pause, at least as many as an attack needs tries. An attacker can imitate a timer;
 * - unidentified: the count of fast or slow, with unknown images and no timer;
 * - traps: as many deliberate traps within a second as the kernel prints of a burst, or `minTraps` within `slowWindow`
 *   if they may be faults;
 * - returns: `minChanged` pointers to code that the processor refused. A pointer authentication code has seven bits or
 *   more where programs have 48-bit addresses, so an attack that tries them in turn needs 64 tries on average and 128
 *   at most.
 */
export function judgeAborts(
  same: readonly Abort[],
  t: number,
  kind: 'abort' | Deliberate,
  rule: AbortSettings,
): FoundAborts | undefined {
  if (kind !== 'abort' && kind !== 'possible') {
    const burst = densest(same, t, 1);
    if (burst.length >= PRINTED_AT_ONCE) return { aborts: burst, pace: PACES[kind] };
  }
  const fast = densest(same, t, rule.window);
  const minSlow = minimumOf(kind, rule);
  if (fast.length < rule.minAborts && same.length < minSlow) return undefined;
  const isSlow = fast.length < rule.minAborts;
  if (same.length % JUDGE_EVERY !== 0 && same.length !== rule.minAborts && same.length !== minSlow) return undefined;
  const judged = isSlow ? same : fast;
  const pace = kind === 'abort' ? (isSlow ? 'slow' : 'fast') : PACES[kind];
  // Includes the aborts before them. The phases of unsynchronised workers drift, so for a while their aborts look like
  // sequential requests.
  const end = same.indexOf(judged.at(-1) as Abort) + 1;
  const history = same.slice(Math.max(0, end - MAX_JUDGED), end);
  const times = history.map((abort) => abort.t);
  if (!followsTimer(times))
    return { aborts: judged, pace: kind === 'abort' && arriveAtRandom(times) ? 'random' : pace };
  return same.length >= rule.minTimedAborts ? { aborts: same, pace: 'timer' } : undefined;
}

const PACES: Readonly<Record<Deliberate, AbortPace>> = {
  certain: 'traps',
  possible: 'traps',
  changed: 'returns',
  refused: 'returns',
};

/** Returns the minimum number of slow aborts or traps of one image. */
function minimumOf(kind: 'abort' | Deliberate, rule: AbortSettings): number {
  if (kind === 'changed' || kind === 'refused') return rule.minChanged;
  return kind === 'possible' ? rule.minTraps : rule.minSlowAborts;
}

/** Maximum number of aborts that the timer check reads. It suffices to recognise a timer, and the cost is quadratic. */
const MAX_JUDGED = 160;

/** Returns the largest group of consecutive aborts that lie within `window` seconds. */
function densest(aborts: readonly Abort[], t: number, window: number): readonly Abort[] {
  let best = 0;
  let bestTo = 0;
  for (let from = 0, to = 0; to < aborts.length; to += 1) {
    const time = (aborts[to] as Abort).t;
    if (time < t - window) {
      from = to + 1;
      continue;
    }
    if (time > t + window) break;
    while (time - (aborts[from] as Abort).t > window) from += 1;
    if (to - from + 1 > best) {
      best = to - from + 1;
      bestTo = to + 1;
    }
  }
  return aborts.slice(bestTo - best, bestTo);
}
