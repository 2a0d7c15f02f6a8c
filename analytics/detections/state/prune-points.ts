import { type CrashPoints, isInWindow, LAST_SECONDS, OFFSET, SEQUENCE, SPACE, STRIDE } from './crash-points.ts';
import { chooseKept, WITH_NEIGHBOURS } from './keep-best.ts';
import type { Program } from './program.ts';

const FIRST_PRUNE = 64;
/**
 * Number of latest arrivals. A place is too old if it is outside the window of each of them, so a few forged timestamps
 * have no effect.
 */
const CLOCK_SAMPLES = 9;
/** Share of a full set that is kept. */
const KEPT_SHARE = 0.75;
/** Maximum distance of neighbours, bytes. Places with a neighbour may belong to a run and are kept longest. */
const NEIGHBOUR_DISTANCE = 64;

/**
 * Prunes a program's places to the limits. Removes first the places too old to count, then those without neighbours,
 * then those unchanged the longest.
 */
export function prunePoints(program: Program, window: number, maxPoints: number): void {
  const { points } = program;
  if (points.length / STRIDE < program.pruneAt) return;
  const latest = latestTimes(points);
  keepWhere(points, (index) => isInWindowOfAny(points, index, latest, window));
  if (points.length / STRIDE >= maxPoints) keepBest(points, Math.floor(maxPoints * KEPT_SHARE));
  program.pruneAt = Math.min(maxPoints, Math.max(FIRST_PRUNE, (2 * points.length) / STRIDE));
}

/** Returns the times of the latest arrivals, seconds. */
function latestTimes(points: readonly number[]): number[] {
  const sequences = new Array<number>(CLOCK_SAMPLES).fill(Number.NEGATIVE_INFINITY);
  const times = new Array<number>(CLOCK_SAMPLES).fill(0);
  /** Index of the earliest of these arrivals. In a large set, few places arrived later. */
  let earliest = 0;
  for (let at = 0; at < points.length; at += STRIDE) {
    const sequence = points[at + SEQUENCE] as number;
    if (sequence < (sequences[earliest] as number)) continue;
    sequences[earliest] = sequence;
    times[earliest] = points[at + LAST_SECONDS] as number;
    for (let i = 0; i < CLOCK_SAMPLES; i += 1)
      if ((sequences[i] as number) < (sequences[earliest] as number)) earliest = i;
  }
  return times.slice(0, points.length / STRIDE);
}

function isInWindowOfAny(points: CrashPoints, index: number, times: readonly number[], window: number): boolean {
  for (let i = 0; i < times.length; i += 1) if (isInWindow(points, index, times[i] as number, window)) return true;
  return false;
}

function keepBest(points: CrashPoints, keep: number): void {
  const count = points.length / STRIDE;
  const ranks = new Float64Array(count);
  let isCloseBelow = false;
  for (let index = 0; index < count; index += 1) {
    const isCloseAbove = isClose(points, index, index + 1);
    ranks[index] = (points[index * STRIDE + SEQUENCE] as number) + (isCloseBelow || isCloseAbove ? WITH_NEIGHBOURS : 0);
    isCloseBelow = isCloseAbove;
  }
  keepWhere(points, chooseKept(ranks, keep));
}

function isClose(points: readonly number[], lower: number, upper: number): boolean {
  const a = lower * STRIDE;
  const b = upper * STRIDE;
  if (b >= points.length || points[a + SPACE] !== points[b + SPACE]) return false;
  return (points[b + OFFSET] as number) - (points[a + OFFSET] as number) <= NEIGHBOUR_DISTANCE;
}

/** Compacts the array to the wanted places. Calls the predicate for each place before anything is overwritten. */
function keepWhere(points: CrashPoints, wanted: (index: number) => boolean): void {
  let to = 0;
  for (let index = 0; index * STRIDE < points.length; index += 1) {
    if (!wanted(index)) continue;
    const from = index * STRIDE;
    if (from !== to)
      for (let field = 0; field < STRIDE; field += 1) points[to + field] = points[from + field] as number;
    to += STRIDE;
  }
  points.length = to;
}
