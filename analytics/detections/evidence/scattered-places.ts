import { CRASHES, isInWindow, SPACE, STRIDE } from '../state/crash-points.ts';

/** What scattered crash places are judged by: thresholds of the rule for instruction pointers. */
export interface ScatterThresholds {
  readonly window: number;
  readonly minScattered: number;
  readonly minSingles: number;
  readonly minAlone: number;
}

/** Places left out because they have the most crashes: a crash loop of the program, or decoys, besides the scan. */
const LOOPS = 3;
const MIN_LOOP = 3;
/** Share of all crashes that happen at a place with no other one in a scan without company. */
const ALONE = 0.9;

/**
 * The indexes of the program's places in mapped files when its crashes are scattered as those of a scan: at least `minScattered` places, of whose
 * crashes the share `minSingles` happened at a place with no other crash; or at least `minAlone` places, with nine crashes of ten and no loop left out. Undefined
 * otherwise.
 *
 * Base rate: a program crashes at a limited number of places, those of its faults, and comes back to them. The share of crashes at
 * places seen once estimates how many crashes still to come are at new places (Good and Turing, 1953), so it falls as a program with K faults goes on
 * crashing, and stays near 1 in a scan, which gains nothing from a second try. Of 1,000 simulated programs whose crashes are spread evenly
 * over 20 places, 5 % reach the default thresholds within 300 crashes; with 20 places of unequal weight (Zipf) 0.2 %, with 15 equal ones 0.1 %. A scan of
 * any stride and order reaches them with its 12th to 19th crash that the kernel logs; one in which seven crashes of ten are a crash loop with the 53rd.
 * The order of the crashes does not matter. Places in mappings for which `isLeftOut` is true do not count.
 */
export function findScattered(
  points: readonly number[],
  t: number,
  { window, minScattered, minSingles, minAlone }: ScatterThresholds,
  isLeftOut?: (space: number) => boolean,
): readonly number[] | undefined {
  if (points.length < Math.min(minScattered, minAlone) * STRIDE) return undefined;
  const found: number[] = [];
  const most = new Array<number>(LOOPS).fill(0);
  let crashes = 0;
  let singles = 0;
  for (let index = 0; index * STRIDE < points.length; index += 1) {
    const space = points[index * STRIDE + SPACE] as number;
    if (space <= 0 || !isInWindow(points, index, t, window) || isLeftOut?.(space) === true) continue;
    const count = points[index * STRIDE + CRASHES] as number;
    found.push(index);
    crashes += count;
    if (count === 1) singles += 1;
    else replaceLeast(most, count);
  }
  if (found.length >= minAlone && singles >= crashes * ALONE) return found;
  const loops = most.filter((count) => count >= MIN_LOOP);
  const inLoops = loops.reduce((sum, count) => sum + count, 0);
  if (found.length - loops.length < minScattered) return undefined;
  return singles >= (crashes - inLoops) * minSingles ? found : undefined;
}

/** Puts the count into a list of the highest ones in place of the lowest, unless it is lower. */
export function replaceLeast(most: number[], count: number): void {
  let least = 0;
  for (let i = 1; i < most.length; i += 1) if ((most[i] as number) < (most[least] as number)) least = i;
  if (count > (most[least] as number)) most[least] = count;
}
