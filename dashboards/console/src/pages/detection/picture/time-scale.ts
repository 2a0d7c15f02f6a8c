import { STEPS } from '../../../parts/charts/time-axis.ts';

/** A part of the axis without a long pause. Times in seconds since the epoch, positions in px. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly right: number;
  /** Set if all its events happened at this instant. */
  readonly instant?: number;
}
/** A long pause that the axis omits. */
export interface AxisBreak {
  readonly left: number;
  readonly right: number;
  /** Length of the pause, seconds. */
  readonly seconds: number;
}
export interface TimeScale {
  readonly segments: readonly Segment[];
  readonly breaks: readonly AxisBreak[];
  /** Returns the position of an instant, px. */
  x(seconds: number): number;
}

const BREAK_PX = 34;
const MIN_SEGMENT_PX = 36;
const MAX_BREAKS = 4;
/** Minimum length of a long pause, as a multiple of the median pause. */
const LONG_RATIO = 8;
/** Margin before and after the points of a segment, as a share of its time, with a minimum in seconds. */
const ASIDE = 0.03;
const MIN_ASIDE_SECONDS = 0.05;

/** Returns a time axis of this width in px that omits long pauses. `times`: seconds since the epoch, at least one. */
export function timeScale(times: readonly number[], width: number): TimeScale {
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const groups = groupsOf(sorted, Math.max(0, Math.min(MAX_BREAKS, Math.floor(width / 160))));
  const ends = groups.map(([from, to]) => {
    const aside = Math.max((to - from) * ASIDE, MIN_ASIDE_SECONDS);
    return { from: from - aside, to: to + aside, ...(from === to ? { instant: from } : {}) };
  });
  const room = Math.max(width - (groups.length - 1) * BREAK_PX, groups.length);
  const minimum = Math.min(MIN_SEGMENT_PX, room / groups.length);
  const total = ends.reduce((sum, { from, to }) => sum + to - from, 0);
  const shared = room - minimum * groups.length;
  let left = 0;
  const segments = ends.map((ending): Segment => {
    const { from, to } = ending;
    const right = left + minimum + (shared * (to - from)) / total;
    const segment = { ...ending, left, right };
    left = right + BREAK_PX;
    return segment;
  });
  const breaks = segments.slice(1).map((segment, index): AxisBreak => {
    const before = segments[index] as Segment;
    const [, end = 0] = groups[index] ?? [];
    const [start = 0] = groups[index + 1] ?? [];
    return { left: before.right, right: segment.left, seconds: start - end };
  });
  return { segments, breaks, x: (seconds) => placeIn(segments, seconds) };
}

/**
 * Returns the first and last time of each group between long pauses. A pause is long if it is at least as long as all
 * the time without such pauses. If there are more than `most` of them, they are the rhythm of the events, and none is
 * omitted.
 */
function groupsOf(sorted: readonly number[], most: number): (readonly [number, number])[] {
  const first = sorted[0] ?? 0;
  const last = sorted.at(-1) ?? first;
  const gaps = sorted.slice(1).map((at, index) => ({ index: index + 1, seconds: at - (sorted[index] as number) }));
  const middle = gaps.map(({ seconds }) => seconds).sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
  const wide = gaps.filter(({ seconds }) => seconds >= middle * LONG_RATIO);
  const active = last - first - wide.reduce((sum, { seconds }) => sum + seconds, 0);
  const found = wide.filter(({ seconds }) => seconds >= active);
  const long = found.length > most ? [] : found;
  const starts = [0, ...long.map(({ index }) => index)];
  return starts.map(
    (start, index) => [sorted[start] ?? first, sorted[(starts[index + 1] ?? sorted.length) - 1] ?? last] as const,
  );
}

function placeIn(segments: readonly Segment[], seconds: number): number {
  const [first] = segments;
  const last = segments.at(-1);
  if (first === undefined || last === undefined) return 0;
  if (seconds <= first.from) return first.left;
  for (const [index, { from, to, left, right }] of segments.entries()) {
    if (seconds <= to && seconds >= from) return left + ((seconds - from) / (to - from)) * (right - left);
    const next = segments[index + 1];
    if (next !== undefined && seconds > to && seconds < next.from)
      return right + ((seconds - to) / (next.from - to)) * (next.left - right);
  }
  return last.right;
}

export interface Tick {
  readonly at: number;
  /** Interval of ticks in its segment, seconds. */
  readonly step: number;
}

/**
 * Returns the ticks of each segment, with enough space for labels of this width in px. A segment too short for two
 * ticks has one, at its start.
 */
export function timeTicks({ segments }: Pick<TimeScale, 'segments'>, labelPx: number): Tick[] {
  return segments.flatMap(({ from, to, left, right, instant }) => {
    if (instant !== undefined) return [{ at: instant, step: 1 }];
    const perSecond = (right - left) / (to - from);
    const step = STEPS.find((one) => one * perSecond >= labelPx) ?? (STEPS.at(-1) as number);
    const count = Math.floor(to / step) - Math.ceil(from / step) + 1;
    return count < 1
      ? [{ at: from, step: Math.min(step, 1) }]
      : Array.from({ length: count }, (_, index) => ({ at: (Math.ceil(from / step) + index) * step, step }));
  });
}
