import { type CrashPoints, isInWindow, LAST_SECONDS, OFFSET, SEQUENCE, SPACE, STRIDE } from './crash-points.ts';
import { chooseKept, WITH_COMPANY } from './keep-best.ts';
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
  keepWhere(points, (index) => isInWindowOfAny(points, index, latest, window));
  if (points.length / STRIDE >= maxPoints) keepBest(points, Math.floor(maxPoints * KEPT_SHARE));
  program.pruneAt = Math.min(maxPoints, Math.max(FIRST_PRUNE, (2 * points.length) / STRIDE));
}

/** Times of the latest arrivals, seconds. */
function latestTimes(points: readonly number[]): number[] {
  const sequences = new Array<number>(CLOCK_SAMPLES).fill(Number.NEGATIVE_INFINITY);
  const times = new Array<number>(CLOCK_SAMPLES).fill(0);
  /** Which of them is the earliest arrival. Few places of a large set are later than it. */
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
    ranks[index] = (points[index * STRIDE + SEQUENCE] as number) + (isCloseBelow || isCloseAbove ? WITH_COMPANY : 0);
    isCloseBelow = isCloseAbove;
  }
  keepWhere(points, chooseKept(ranks, keep));
}

function isClose(points: readonly number[], lower: number, upper: number): boolean {
  const a = lower * STRIDE;
  const b = upper * STRIDE;
  if (b >= points.length || points[a + SPACE] !== points[b + SPACE]) return false;
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
