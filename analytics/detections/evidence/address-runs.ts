import { CRASHES, isInWindow, OFFSET, PAIRED, PRINTED, RETURNS, SPACE, STRIDE } from '../state/crash-points.ts';

/** Thresholds of a run, from the rule for instruction pointers. */
export interface RunThresholds {
  readonly window: number;
  readonly maxStep: number;
  readonly maxGap: number;
  readonly minDistinct: number;
  readonly minDistinctWithGaps: number;
  readonly maxCrashesPerAddress: number;
  readonly minAloneInLibrary: number;
  readonly minDistinctInLibrary: number;
}

/** Places `from` to `to` (indexes, inclusive) of one space that form a run. */
export interface Run {
  readonly from: number;
  readonly to: number;
  readonly distinct: number;
}

/** Maximum crashes per address of a run in a library to whose places the program hardly returns. */
const ALONE = 1.25;

/** Maximum length of a judged run, in places. Limits the work that an attacker can cause per event. */
const MAX_WALK = 256;

/**
 * Returns true if the run of places in a library has more addresses than the faults of one function explain. A copy
 * from or to a wrong address fails at whichever access comes first, depending on its length. Measured with glibc 2.36,
 * these are 12 instructions of `memcpy` for the target, 6 for the source, and 2 to 5 of `strlen`, `memset` and others.
 * Most of them are less than 64 bytes apart, and such a program returns to them. The run therefore needs more addresses
 * than one function has, or `minAloneInLibrary` addresses to which the program hardly returned.
 */
export function isMoreThanFunction(points: readonly number[], run: Run, t: number, thresholds: RunThresholds): boolean {
  if (run.distinct >= thresholds.minDistinctInLibrary) return true;
  const { crashes } = tally(points, run, t, thresholds.window);
  return run.distinct >= thresholds.minAloneInLibrary && crashes <= run.distinct * ALONE;
}

/**
 * Returns true if most places of the run share their process with another place, by the latest process that crashed at
 * each. A process that dies crashes once. A process that handles its faults, such as a virtual machine, crashes at many
 * places, and 32-bit ARM logs handled faults too.
 */
export function areOfFewProcesses(points: readonly number[], { from, to }: Run): boolean {
  const placesOf = new Map<number, number>();
  let known = 0;
  for (let i = from; i <= to; i += 1) {
    const printed = points[i * STRIDE + PRINTED] as number;
    const pid = Math.floor(printed / 2);
    // A detector that does not know the process writes 0.
    if (printed === PAIRED || Number.isNaN(pid) || pid === 0) continue;
    known += 1;
    placesOf.set(pid, (placesOf.get(pid) ?? 0) + 1);
  }
  let shared = 0;
  for (const places of placesOf.values()) if (places > 1) shared += places;
  return shared * 2 > known;
}

/**
 * Returns the run around the place at `index` if that place completes a systematic scan, otherwise undefined. The place
 * must be new at time `t`, or new again after the window.
 *
 * The result depends on the set of addresses, never on the order of arrival, so shuffling, interleaving and delays do
 * not change it. A run qualifies in one of two ways:
 * 1. `minDistinct` addresses, each at most `maxStep` from the next. Below `minDistinctWithGaps` addresses, a crash loop
 *    between a few sites looks the same. Such a run may therefore have at most `maxCrashesPerAddress` crashes per
 *    address, and the program may not have returned to a site after its neighbour had crashed.
 * 2. `minDistinctWithGaps` addresses with gaps of at most `maxGap`, and one sign of regularity: two neighbours within
 *    `maxStep`, or a common divisor of 4 or more of all distances (stubs and aligned scans), or twice as many
 *    addresses.
 */
export function findRun(
  points: readonly number[],
  index: number,
  t: number,
  thresholds: RunThresholds,
): Run | undefined {
  const { window, maxStep, maxGap, minDistinct, minDistinctWithGaps } = thresholds;
  const loose = expand(points, index, t, window, Math.max(maxGap, maxStep));
  if (loose.distinct < minDistinct) return undefined;
  const strict = expand(points, index, t, window, maxStep);
  if (strict.distinct >= minDistinct) {
    if (strict.distinct >= minDistinctWithGaps) return loose;
    const { crashes, returns } = tally(points, strict, t, window);
    if (returns === 0 && crashes <= strict.distinct * thresholds.maxCrashesPerAddress) return loose;
  }
  if (loose.distinct < minDistinctWithGaps) return undefined;
  if (loose.distinct >= 2 * minDistinctWithGaps) return loose;
  const { links, divisor } = regularity(points, loose, t, window, maxStep);
  return links >= 2 || divisor >= 4 ? loose : undefined;
}

/**
 * Returns the longest run around `index` whose neighbours are at most `reach` apart. Ignores places outside the window.
 */
function expand(points: readonly number[], index: number, t: number, window: number, reach: number): Run {
  const space = points[index * STRIDE + SPACE] as number;
  const last = points.length / STRIDE - 1;
  let distinct = 1;
  let from = index;
  let edge = points[index * STRIDE + OFFSET] as number;
  for (let i = index - 1; i >= 0 && index - i <= MAX_WALK; i -= 1) {
    if (points[i * STRIDE + SPACE] !== space || edge - (points[i * STRIDE + OFFSET] as number) > reach) break;
    if (!isInWindow(points, i, t, window)) continue;
    from = i;
    edge = points[i * STRIDE + OFFSET] as number;
    distinct += 1;
  }
  let to = index;
  edge = points[index * STRIDE + OFFSET] as number;
  for (let i = index + 1; i <= last && i - index <= MAX_WALK; i += 1) {
    if (points[i * STRIDE + SPACE] !== space || (points[i * STRIDE + OFFSET] as number) - edge > reach) break;
    if (!isInWindow(points, i, t, window)) continue;
    to = i;
    edge = points[i * STRIDE + OFFSET] as number;
    distinct += 1;
  }
  return { from, to, distinct };
}

function tally(points: readonly number[], run: Run, t: number, window: number): { crashes: number; returns: number } {
  let crashes = 0;
  let returns = 0;
  for (let i = run.from; i <= run.to; i += 1) {
    if (!isInWindow(points, i, t, window)) continue;
    crashes += points[i * STRIDE + CRASHES] as number;
    returns += points[i * STRIDE + RETURNS] as number;
  }
  return { crashes, returns };
}

function regularity(
  points: readonly number[],
  run: Run,
  t: number,
  window: number,
  maxStep: number,
): { links: number; divisor: number } {
  let links = 0;
  let divisor = 0;
  let previous = points[run.from * STRIDE + OFFSET] as number;
  for (let i = run.from + 1; i <= run.to; i += 1) {
    if (!isInWindow(points, i, t, window)) continue;
    const offset = points[i * STRIDE + OFFSET] as number;
    if (offset - previous <= maxStep) links += 1;
    divisor = greatestCommonDivisor(divisor, offset - previous);
    previous = offset;
  }
  return { links, divisor };
}

function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
