import { type FollowedStep, keyOf } from './follow.ts';

export interface TimelineRow extends FollowedStep {
  readonly key: string;
  /** Nesting depth of the step. */
  readonly depth: number;
  readonly durationMs: number | undefined;
  /** Start of the bar, in percent of the total duration. */
  readonly from: number;
  readonly width: number;
}

/** Returns the bars of steps over the time of their execution, as a tree. A step without an end extends to `now`. */
export function timelineOf(
  steps: readonly FollowedStep[],
  bounds: { readonly startedAt: string | undefined; readonly endedAt: string | undefined; readonly now: number },
): TimelineRow[] {
  const times = steps.map((step) => ({
    begin: Date.parse(step.startedAt),
    end: step.completedAt === undefined ? undefined : Date.parse(step.completedAt),
  }));
  const first = Math.min(
    ...times.map(({ begin }) => begin),
    bounds.startedAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(bounds.startedAt),
  );
  const last =
    bounds.endedAt === undefined
      ? Math.max(bounds.now, ...times.map(({ begin, end }) => end ?? begin))
      : Math.max(Date.parse(bounds.endedAt), ...times.map(({ begin, end }) => end ?? begin));
  const whole = Math.max(last - first, 1);
  return inTreeOrder(steps).map(({ step, depth }) => {
    const begin = Date.parse(step.startedAt);
    const end = step.completedAt === undefined ? undefined : Date.parse(step.completedAt);
    const open = end ?? (bounds.endedAt === undefined ? bounds.now : last);
    return {
      ...step,
      key: keyOf(step),
      depth,
      durationMs: end === undefined ? undefined : Math.max(0, end - begin),
      from: ((begin - first) / whole) * 100,
      width: (Math.max(0, open - begin) / whole) * 100,
    };
  });
}

interface PlacedStep {
  readonly step: FollowedStep;
  readonly depth: number;
}

/**
 * Returns each step directly below its parent. Steps of the same parent are sorted by sequence number, because their
 * times may be equal.
 */
function inTreeOrder(steps: readonly FollowedStep[]): PlacedStep[] {
  const known = new Set(steps.map(keyOf));
  const parentOf = ({ parent }: FollowedStep) => (parent !== null && known.has(keyOf(parent)) ? keyOf(parent) : '');
  const inside = Map.groupBy(
    steps.toSorted((a, b) => a.sequence - b.sequence),
    parentOf,
  );
  const placed: PlacedStep[] = [];
  const place = (parent: string, depth: number): void => {
    for (const step of inside.get(parent) ?? []) {
      placed.push({ step, depth });
      place(keyOf(step), depth + 1);
    }
  };
  place('', 0);
  return placed;
}
