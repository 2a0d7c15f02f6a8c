import { CRASHES, isInWindow, SPACE, STRIDE } from '../state/crash-points.ts';

/** Thresholds of the rule for instruction pointers, for scattered crash places. */
export interface ScatterThresholds {
  readonly window: number;
  readonly minScattered: number;
  readonly minSingles: number;
  readonly minAlone: number;
}

/**
 * Number of places that are excluded, those with the most crashes: a crash loop of the program, or decoys, next to the
 * scan.
 */
const LOOPS = 3;
const MIN_LOOP = 3;
/** Minimum share of single-crash places among all crashes, for a scan without a crash loop. */
const ALONE = 0.9;

/**
 * Returns the indexes of the program's places in mapped files if its crashes are scattered like those of a scan,
 * otherwise undefined. There must be at least `minScattered` places, with the share `minSingles` of their crashes at
 * places with one crash. Or there must be at least `minAlone` places, with nine crashes of ten at such places and no
 * loop excluded.
 *
 * Base rate: a program crashes at a limited number of places, those of its faults, and returns to them. The share of
 * crashes at places seen once estimates the probability that the next crash is at a new place (Good and Turing, 1953).
 * It falls while a program with K faults continues to crash. In a scan it stays near 1, because a second try gains
 * nothing. Of 1,000 simulated programs whose crashes are spread evenly over 20 places, 5 % reach the default thresholds
 * within 300 crashes. With 20 places of unequal weight (Zipf) it is 0.2 %, with 15 equal ones 0.1 %. A scan of any
 * stride and order reaches them with its 12th to 19th crash that the kernel logs. If seven crashes of ten belong to a
 * crash loop, it is the 53rd. The order of the crashes does not matter. Places in mappings for which `isLeftOut` is
 * true do not count.
 */
export function findScattered(
  points: readonly number[],
  t: number,
  rule: ScatterThresholds,
  isLeftOut?: (space: number) => boolean,
): readonly number[] | undefined {
  if (points.length < Math.min(rule.minScattered, rule.minAlone) * STRIDE) return undefined;
  const found: number[] = [];
  const counts: number[] = [];
  for (let index = 0; index * STRIDE < points.length; index += 1) {
    const space = points[index * STRIDE + SPACE] as number;
    if (space <= 0 || !isInWindow(points, index, t, rule.window) || isLeftOut?.(space) === true) continue;
    found.push(index);
    counts.push(points[index * STRIDE + CRASHES] as number);
  }
  return areScattered(counts, rule) ? found : undefined;
}

/** Returns true if places with these numbers of crashes are scattered like those of a scan. */
export function areScattered(
  counts: readonly number[],
  { minScattered, minSingles, minAlone }: Omit<ScatterThresholds, 'window'>,
): boolean {
  if (counts.length < Math.min(minScattered, minAlone)) return false;
  const most = new Array<number>(LOOPS).fill(0);
  let crashes = 0;
  let singles = 0;
  for (let i = 0; i < counts.length; i += 1) {
    const count = counts[i] as number;
    crashes += count;
    if (count === 1) singles += 1;
    else replaceLeast(most, count);
  }
  if (counts.length >= minAlone && singles >= crashes * ALONE) return true;
  const loops = most.filter((count) => count >= MIN_LOOP);
  const inLoops = loops.reduce((sum, count) => sum + count, 0);
  return counts.length - loops.length >= minScattered && singles >= (crashes - inLoops) * minSingles;
}

/** Replaces the lowest of the highest counts by this count, unless the count is lower. */
export function replaceLeast(most: number[], count: number): void {
  let least = 0;
  for (let i = 1; i < most.length; i += 1) if ((most[i] as number) < (most[least] as number)) least = i;
  if (count > (most[least] as number)) most[least] = count;
}
