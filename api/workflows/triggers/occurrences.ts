import { cronOf } from './cron.ts';
import type { TriggerSpec } from './spec.ts';

type ScheduleSpec = Extract<TriggerSpec, { kind: 'schedule' }>;

/** Counted one by one, so that a year of seconds costs no minute. */
const MAX_COUNTED = 1_000;

/** The first time after `afterMs`; undefined when there is no further one. Epoch ms. */
export function firstOccurrence(spec: ScheduleSpec, afterMs: number): number | undefined {
  return 'everyMs' in spec ? afterMs + spec.everyMs : cronOf(spec.cron).nextRun(new Date(afterMs))?.getTime();
}

/** Gaps of a pattern that are looked at: more than the fields of seconds and minutes have in an hour of any usual pattern. */
const GAPS = 70;

/** The shortest time between two executions that a clock begins, ms; undefined for triggers that go by no clock. */
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
  /** The next one after now. */
  readonly next: number | undefined;
  /** Earlier ones that were missed. Of a pattern at most 1,000 are counted. */
  readonly missed: number;
}

/**
 * What is to be done of a schedule that was due first at `dueMs`. When several times have passed, because no worker was there, the last of them is done
 * now and the others are left out: one late execution is of use, a hundred late executions are a flood.
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
