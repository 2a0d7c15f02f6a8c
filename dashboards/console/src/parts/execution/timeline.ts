import { type FollowedStep, keyOf } from './follow.ts';

export interface TimelineRow extends FollowedStep {
  readonly key: string;
  /** How deep it stands in the definition. */
  readonly depth: number;
  readonly durationMs: number | undefined;
  /** Place of the bar, in hundredths of the whole. */
  readonly from: number;
  readonly width: number;
}

/** Bars of steps over the time of their execution, in the order they began. What has no end yet reaches to `now`. */
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
  const paths = new Set(steps.map(({ step }) => step));
  return steps
    .map((step, index) => {
      const { begin = first, end } = times[index] ?? {};
      const open = end ?? (bounds.endedAt === undefined ? bounds.now : last);
      return {
        ...step,
        key: keyOf(step),
        depth: depthOf(step.step, paths),
        durationMs: end === undefined ? undefined : Math.max(0, end - begin),
        from: ((begin - first) / whole) * 100,
        width: (Math.max(0, open - begin) / whole) * 100,
        begin,
      };
    })
    .sort((a, b) => a.begin - b.begin || a.depth - b.depth)
    .map(({ begin: _, ...row }) => row);
}

/** A step inside another has its path in front, as `/do/1/approval/try/0/answer` has that of `/do/1/approval`. */
function depthOf(step: string, paths: ReadonlySet<string>): number {
  const parts = step.split('/');
  return parts.filter((_, at) => at > 0 && paths.has(parts.slice(0, at).join('/'))).length;
}
