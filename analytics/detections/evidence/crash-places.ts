import { SAME_CRASH_SECONDS } from '#schemas/crash.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import type { KernelTrap } from '#schemas/events/event.ts';
import type { Address } from '../state/address.ts';
import type { TrackerContext } from '../state/context.ts';
import * as place from '../state/crash-points.ts';
import { keepLine, takeLine } from '../state/displaced-lines.ts';
import type { Program } from '../state/program.ts';
import { keepRepeat } from '../state/repeated-crashes.ts';

/** The two lines the kernel may print for one crash. */
export const PRINTED_TRAP = 0;
export const PRINTED_DUMP = 1;
export type Printed = typeof PRINTED_TRAP | typeof PRINTED_DUMP;

/** One crash of a program at one place. */
export interface Crash {
  readonly at: Address;
  readonly time: Instant;
  /** NaN when unknown. */
  readonly pid: number;
  readonly printed: Printed;
  /** The trap line; undefined for a dump. */
  readonly trap?: KernelTrap | undefined;
  /** The registers of a dump; undefined for a trap line. */
  readonly registers?: Readonly<Record<string, string>> | undefined;
  /** True if the fault shows where data ended, not where an attacker sent the program. Its place is not recorded. */
  readonly explained: boolean;
}

export interface CrashOutcome {
  /** False if it is the second line of a crash that was already counted. */
  readonly counted: boolean;
  /** True if the place is new, or new again after the window. A run can have grown only then. */
  readonly fresh: boolean;
}

/** A recorded crash, as the rules receive it. */
export interface RecordedCrash extends Crash, CrashOutcome {
  /**
   * Index of the place among those of the program, valid until another rule changes them. Only set if the crash is
   * counted and not explained.
   */
  readonly index: number;
}

/**
 * The crash that the tracker currently processes. One object is reused for all crashes, because this code runs for
 * every one.
 */
export type FedCrash = { -readonly [Name in keyof RecordedCrash]: RecordedCrash[Name] };

/** Creates the reusable crash object. */
export function createFedCrash(): FedCrash {
  return {
    at: { space: 0, offset: 0 },
    time: { seconds: 0, nanos: 0 },
    pid: Number.NaN,
    printed: PRINTED_TRAP,
    trap: undefined,
    registers: undefined,
    explained: false,
    counted: true,
    fresh: false,
    index: -1,
  };
}

/** Thresholds of the rule for instruction pointers: how long and how close together places belong to one run. */
export interface PlaceThresholds {
  readonly window: number;
  readonly maxStep: number;
}

const OTHER_LINE: CrashOutcome = { counted: false, fresh: false };
const WITHOUT_PLACE: CrashOutcome = { counted: true, fresh: false };
const NEW_PLACE: CrashOutcome = { counted: true, fresh: true };
const KNOWN_PLACE: CrashOutcome = { counted: true, fresh: false };

/** Records a crash among the program's places, and sets its `index`. */
export function recordCrash(
  { sequence }: TrackerContext,
  program: Program,
  crash: FedCrash,
  thresholds: PlaceThresholds,
): CrashOutcome {
  const t = crash.time.seconds;
  const { space, offset } = crash.at;
  const printed = crash.pid * 2 + crash.printed;
  const otherLine = printed + 1 - 2 * crash.printed;
  if (program.displaced !== undefined && pairWithDisplaced(program, otherLine, t, crash.at)) return OTHER_LINE;
  const { points } = program;
  const index = place.lowerBound(points, space, offset);
  crash.index = index;
  const isKnown = place.isAt(points, index, space, offset);
  const at = index * place.STRIDE;
  const before = isKnown ? (points[at + place.PRINTED] as number) : place.PAIRED;
  const apart = isKnown ? Math.abs((points[at + place.LAST_SECONDS] as number) - t) : Number.POSITIVE_INFINITY;
  if (before !== place.PAIRED && before === otherLine && apart <= SAME_CRASH_SECONDS) {
    points[at + place.PRINTED] = place.PAIRED;
    return OTHER_LINE;
  }
  if (crash.explained) {
    if (!Number.isNaN(printed)) program.displaced = keepLine(program.displaced, printed, t, crash.at);
    return WITHOUT_PLACE;
  }
  if (!isKnown) {
    program.points = place.insertPoint(points, index, space, offset, crash.time, printed, sequence);
    return NEW_PLACE;
  }
  if (before >= 0 && apart <= SAME_CRASH_SECONDS && Math.floor(before / 2) !== crash.pid)
    program.displaced = keepLine(program.displaced, before, points[at + place.LAST_SECONDS] as number, crash.at);
  const fresh = !place.isInWindow(points, index, t, thresholds.window);
  revisit(points, index, crash.time, fresh, thresholds, printed, sequence);
  if (fresh) return NEW_PLACE;
  keepRepeat(program, crash.at, crash.time);
  return KNOWN_PLACE;
}

function revisit(
  points: number[],
  index: number,
  time: Instant,
  fresh: boolean,
  rule: PlaceThresholds,
  printed: number,
  sequence: number,
): void {
  const at = index * place.STRIDE;
  if (Math.abs((points[at + place.FIRST_SECONDS] as number) - time.seconds) > rule.window) {
    points[at + place.FIRST_SECONDS] = points[at + place.LAST_SECONDS] as number;
    points[at + place.FIRST_NANOS] = points[at + place.LAST_NANOS] as number;
  }
  if (fresh) {
    points[at + place.CRASHES] = 1;
    points[at + place.RETURNS] = 0;
  } else {
    points[at + place.CRASHES] = (points[at + place.CRASHES] as number) + 1;
    const since = points[at + place.SEQUENCE] as number;
    if (crashedSince(points, index, index - 1, since, rule) || crashedSince(points, index, index + 1, since, rule)) {
      points[at + place.RETURNS] = (points[at + place.RETURNS] as number) + 1;
    }
  }
  points[at + place.LAST_SECONDS] = time.seconds;
  points[at + place.LAST_NANOS] = time.nanos;
  points[at + place.PRINTED] = printed;
  points[at + place.SEQUENCE] = sequence;
}

/** Returns true if the neighbouring place is within a step and crashed after the event with the number `since`. */
function crashedSince(
  points: readonly number[],
  index: number,
  neighbour: number,
  since: number,
  rule: PlaceThresholds,
): boolean {
  return (
    isNeighbour(points, index, neighbour, rule) && (points[neighbour * place.STRIDE + place.SEQUENCE] as number) > since
  );
}

/** Returns true if the neighbouring place lies within a step. */
export function isNeighbour(
  points: readonly number[],
  index: number,
  neighbour: number,
  rule: PlaceThresholds,
): boolean {
  const at = index * place.STRIDE;
  const other = neighbour * place.STRIDE;
  if (other < 0 || other >= points.length || points[other + place.SPACE] !== points[at + place.SPACE]) return false;
  return Math.abs((points[other + place.OFFSET] as number) - (points[at + place.OFFSET] as number)) <= rule.maxStep;
}

/**
 * Returns true if the crash's trap line was already counted. For a dump with this pid that was truncated before its
 * instruction pointer.
 */
export function wasTrapped(program: Program, pid: number, time: Instant): boolean {
  const { points } = program;
  for (let at = 0; at < points.length; at += place.STRIDE) {
    if (points[at + place.PRINTED] !== pid * 2 + PRINTED_TRAP) continue;
    if (Math.abs((points[at + place.LAST_SECONDS] as number) - time.seconds) > SAME_CRASH_SECONDS) continue;
    points[at + place.PRINTED] = place.PAIRED;
    return true;
  }
  return pairWithDisplaced(program, pid * 2 + PRINTED_TRAP, time.seconds, undefined);
}

/**
 * Returns true if the crash matches a line that a crash of another process at the same address displaced. Removes the
 * matched line.
 */
function pairWithDisplaced(program: Program, printed: number, seconds: number, at: Address | undefined): boolean {
  const left = takeLine(program.displaced, printed, seconds, at);
  if (left === undefined) return false;
  program.displaced = left.length === 0 ? undefined : left;
  return true;
}
