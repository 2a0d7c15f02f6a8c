import { type CrashPoints, isInWindow, LAST_SECONDS, OFFSET, SEQUENCE, SPACE, STRIDE } from './crash-points.ts';
import { chooseKept } from './keep-best.ts';
import { kthSmallest } from './kth-smallest.ts';
import type { Program } from './program.ts';

const FIRST_PRUNE = 64;
/** A place is too old when it is out of the window of each of so many latest arrivals: a few forged timestamps change nothing. */
const CLOCK_SAMPLES = 9;
/** Of a full set so much is kept. */
const KEPT_SHARE = 0.75;
/** Places this close to another one may belong to a run and are kept longest. */
const COMPANY = 64;

/** Keeps a program's places within bounds: first those too old to count go, then lonely ones, then the longest untouched. */
export function prunePoints(program: Program, window: number, maxPoints: number): void {
  const { points } = program;
  if (points.length / STRIDE < program.pruneAt) return;
  const latest = latestTimes(points);
  keepWhere(points, (index) => latest.some((t) => isInWindow(points, index, t, window)));
  if (points.length / STRIDE >= maxPoints) keepBest(points, Math.floor(maxPoints * KEPT_SHARE));
  program.pruneAt = Math.min(maxPoints, Math.max(FIRST_PRUNE, (2 * points.length) / STRIDE));
}

/** Times of the latest arrivals, seconds. */
function latestTimes(points: readonly number[]): number[] {
  const count = points.length / STRIDE;
  const sequences = new Float64Array(count);
  for (let i = 0; i < count; i += 1) sequences[i] = points[i * STRIDE + SEQUENCE] as number;
  const since = kthSmallest(sequences.slice(), Math.max(0, count - CLOCK_SAMPLES));
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) {
    if ((sequences[i] as number) >= since) times.push(points[i * STRIDE + LAST_SECONDS] as number);
  }
  return times;
}

function keepBest(points: CrashPoints, keep: number): void {
  const chosen = chooseKept(
    points.length / STRIDE,
    keep,
    (index) => hasCompany(points, index),
    (index) => points[index * STRIDE + SEQUENCE] as number,
  );
  keepWhere(points, chosen);
}

function hasCompany(points: readonly number[], index: number): boolean {
  return isClose(points, index - 1, index) || isClose(points, index, index + 1);
}

function isClose(points: readonly number[], lower: number, upper: number): boolean {
  const a = lower * STRIDE;
  const b = upper * STRIDE;
  if (a < 0 || b >= points.length || points[a + SPACE] !== points[b + SPACE]) return false;
  return (points[b + OFFSET] as number) - (points[a + OFFSET] as number) <= COMPANY;
}

/** Moves the wanted places together within the array; the predicate sees each before anything is written over it. */
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
