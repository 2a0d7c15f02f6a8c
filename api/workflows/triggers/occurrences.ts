import { cronOf } from './cron.ts';
import type { TriggerSpec } from './spec.ts';

type ScheduleSpec = Extract<TriggerSpec, { kind: 'schedule' }>;

/** Maximum number of missed occurrences to count one by one. A year of seconds would take minutes. */
const MAX_COUNTED = 1_000;

/** Returns the first time after `afterMs`, or undefined if there is no further one. Milliseconds since the epoch. */
export function firstOccurrence(spec: ScheduleSpec, afterMs: number): number | undefined {
  return 'everyMs' in spec ? afterMs + spec.everyMs : cronOf(spec.cron).nextRun(new Date(afterMs))?.getTime();
}

/**
 * Number of occurrences to examine. It exceeds the combinations of seconds and minutes per hour in any usual pattern.
 */
const GAPS = 70;

/** Returns the shortest interval in ms between two executions of a time-based trigger; undefined for other triggers. */
export function shortestGapMs(spec: TriggerSpec, nowMs: number): number | undefined {
  if (spec.kind === 'after') return spec.afterMs;
  if (spec.kind !== 'schedule') return undefined;
  if ('everyMs' in spec) return spec.everyMs;
  const times = cronOf(spec.cron)
    .nextRuns(GAPS, new Date(nowMs))
    .map((time) => time.getTime());
  return Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
}

export interface DueOccurrence {
  readonly at: number;
  /** First occurrence after now. */
  readonly next: number | undefined;
  /** Number of earlier missed occurrences. For a pattern, at most 1,000 are counted. */
  readonly missed: number;
}

/**
 * Returns what to do for a schedule that was first due at `dueMs`. If no worker ran for several occurrences, only the
 * last one starts an execution. The others are skipped, because many late executions would overload the system.
 */
export function dueOccurrence(spec: ScheduleSpec, dueMs: number, nowMs: number): DueOccurrence {
  if ('everyMs' in spec) {
    const missed = Math.max(0, Math.floor((nowMs - dueMs) / spec.everyMs));
    const at = dueMs + missed * spec.everyMs;
    return { at, next: at + spec.everyMs, missed };
  }
  const cron = cronOf(spec.cron);
  let at = dueMs;
  let next = cron.nextRun(new Date(at))?.getTime();
  let missed = 0;
  while (next !== undefined && next <= nowMs && missed < MAX_COUNTED) {
    at = next;
    next = cron.nextRun(new Date(at))?.getTime();
    missed += 1;
  }
  if (next !== undefined && next <= nowMs) {
    at = cron.previousRuns(1, new Date(nowMs + 1))[0]?.getTime() ?? at;
    next = cron.nextRun(new Date(nowMs))?.getTime();
  }
  return { at, next, missed };
}
