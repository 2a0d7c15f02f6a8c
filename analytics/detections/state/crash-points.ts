import type { Instant } from '#schemas/events/accepted.ts';

/**
 * The distinct places at which a program crashed, sorted by (space, offset), in one flat array of doubles. A place
 * takes ten fields, which is 80 bytes; an object would take three times that. The fields:
 */
export const STRIDE = 10;
export const SPACE = 0;
export const OFFSET = 1;
/** Time of the first crash at this place that is recent enough to count together with the later ones. */
export const FIRST_SECONDS = 2;
export const FIRST_NANOS = 3;
/** Time of the crash at this place that arrived last. With forged timestamps it need not be the latest. */
export const LAST_SECONDS = 4;
export const LAST_NANOS = 5;
export const CRASHES = 6;
/**
 * How often the program returned to this place after a crash at a neighbour. Alternating crash sites do this, scans do
 * not.
 */
export const RETURNS = 7;
/** pid * 2 + line kind of the line that arrived last, or `PAIRED` if that line is already matched. */
export const PRINTED = 8;
/** Number of the event that changed the place last. */
export const SEQUENCE = 9;

export const PAIRED = -1;
export type CrashPoints = number[];

/** Returns the index (in places) of the first place that is not below (space, offset). */
export function lowerBound(points: readonly number[], space: number, offset: number): number {
  let low = 0;
  let high = points.length / STRIDE;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * STRIDE;
    const s = points[at + SPACE] as number;
    if (s < space || (s === space && (points[at + OFFSET] as number) < offset)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns true if the place at `index` is (space, offset). */
export function isAt(points: readonly number[], index: number, space: number, offset: number): boolean {
  const at = index * STRIDE;
  return at < points.length && points[at + SPACE] === space && points[at + OFFSET] === offset;
}

/** Up to this length, the array is reallocated without spare capacity: most programs crash at a few places only. */
const EXACT_UNTIL = 16 * STRIDE;

/** Inserts a place at `index`. Returns the array to use from now on. */
export function insertPoint(
  points: CrashPoints,
  index: number,
  space: number,
  offset: number,
  time: Instant,
  printed: number,
  sequence: number,
): CrashPoints {
  const { seconds, nanos } = time;
  const point = [space, offset, seconds, nanos, seconds, nanos, 1, 0, printed, sequence];
  if (points.length === 0) return point;
  const at = index * STRIDE;
  if (points.length < EXACT_UNTIL) return points.slice(0, at).concat(point, points.slice(at));
  points.splice(at, 0, ...point);
  return points;
}

/**
 * Returns true if the place has a crash within `window` seconds of `t`. Checks both the first and the last crash, so
 * that one forged time does not hide the other.
 */
export function isInWindow(points: readonly number[], index: number, t: number, window: number): boolean {
  const at = index * STRIDE;
  const first = points[at + FIRST_SECONDS] as number;
  const last = points[at + LAST_SECONDS] as number;
  return Math.abs(first - t) <= window || Math.abs(last - t) <= window || (first <= t && t <= last);
}

/** Returns the time of the first crash at a place. */
export function firstCrash(points: readonly number[], index: number): Instant {
  const at = index * STRIDE;
  return { seconds: points[at + FIRST_SECONDS] as number, nanos: points[at + FIRST_NANOS] as number };
}

/** Returns the time of the crash at a place that arrived last. */
export function lastCrash(points: readonly number[], index: number): Instant {
  const at = index * STRIDE;
  return { seconds: points[at + LAST_SECONDS] as number, nanos: points[at + LAST_NANOS] as number };
}

/** Returns the time of a place's first crash that counts at `t`. */
export function firstInWindow(points: readonly number[], index: number, t: number, window: number): Instant {
  const first = firstCrash(points, index);
  const last = lastCrash(points, index);
  const useLast =
    Math.abs(first.seconds - t) > window || (last.seconds < first.seconds && Math.abs(last.seconds - t) <= window);
  return useLast ? last : first;
}
