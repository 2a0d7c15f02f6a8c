import { SAME_CRASH_SECONDS } from '#schemas/crash.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import { addValue, compareInstants, covers, type Episode, openEpisode } from './episode.ts';
import { addRegion, hasRoomForRegion, joinRegion, shownAddress } from './region.ts';
import { findRun, type InstructionPointerThresholds, type Run } from './rules/instruction-pointer-probe.ts';
import { type Address, toHexadecimal } from './state/address.ts';
import { forgetProbe, rememberProbe, type TrackerContext } from './state/context.ts';
import * as place from './state/crash-points.ts';
import { keepLine, takeLine } from './state/displaced-lines.ts';
import type { Program } from './state/program.ts';
import { baseOf } from './state/program-spaces.ts';
import { prunePoints } from './state/prune-points.ts';
import { claimSuppressed } from './suppressed.ts';

/** The two lines the kernel may print for one crash. */
export const PRINTED_TRAP = 0;
export const PRINTED_DUMP = 1;
export type Printed = typeof PRINTED_TRAP | typeof PRINTED_DUMP;

/** First detail of an episode whose evidence includes trap lines. */
const WITH_TRAPS = 'traps';

/** One crash of a program at one place. */
export interface Crash {
  readonly at: Address;
  readonly time: Instant;
  /** NaN when unknown. */
  readonly pid: number;
  readonly printed: Printed;
}

export interface CrashOutcome {
  /** False when it was the other line of a crash already counted. */
  readonly counted: boolean;
  /** The place is new, or new again after the window: only then can a run have grown. */
  readonly fresh: boolean;
  /** Signs of probing: the program is worth remembering. */
  readonly promising: boolean;
}

const OTHER_LINE: CrashOutcome = { counted: false, fresh: false, promising: false };

/** Takes a crash into the program's places and lets the instruction-pointer rule judge. */
export function addCrash(context: TrackerContext, program: Program, crash: Crash): CrashOutcome {
  const { sequence } = context;
  const rule = context.settings.rules['instruction-pointer-probe'];
  const t = crash.time.seconds;
  const { space, offset } = crash.at;
  const printed = crash.pid * 2 + crash.printed;
  const index = place.lowerBound(program.points, space, offset);
  const otherLine = printed + 1 - 2 * crash.printed;
  if (pairWithDisplaced(program, otherLine, t, crash.at)) return OTHER_LINE;
  let fresh = true;
  if (place.isAt(program.points, index, space, offset)) {
    const { points } = program;
    const at = index * place.STRIDE;
    const before = points[at + place.PRINTED] as number;
    const apart = Math.abs((points[at + place.LAST_SECONDS] as number) - t);
    if (before !== place.PAIRED && before === otherLine && apart <= SAME_CRASH_SECONDS) {
      points[at + place.PRINTED] = place.PAIRED;
      return OTHER_LINE;
    }
    if (before >= 0 && apart <= SAME_CRASH_SECONDS && Math.floor(before / 2) !== crash.pid) {
      program.displaced = keepLine(program.displaced, before, points[at + place.LAST_SECONDS] as number, crash.at);
    }
    fresh = !place.isInWindow(points, index, t, rule.window);
    revisit(points, index, crash.time, fresh, rule, printed, sequence);
  } else {
    program.points = place.insertPoint(program.points, index, space, offset, crash.time, printed, sequence);
  }
  const promising = judge(context, program, crash, index, fresh, rule);
  if (program.points.length / place.STRIDE >= program.pruneAt) {
    prunePoints(program, rule.window, context.settings.limits.maxPointsPerProgram);
  }
  return { counted: true, fresh, promising };
}

function revisit(
  points: number[],
  index: number,
  time: Instant,
  fresh: boolean,
  rule: InstructionPointerThresholds,
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

/** Whether the neighbouring place is within a step and crashed after event number `since`. */
function crashedSince(
  points: readonly number[],
  index: number,
  neighbour: number,
  since: number,
  rule: InstructionPointerThresholds,
): boolean {
  return (
    isNeighbour(points, index, neighbour, rule) && (points[neighbour * place.STRIDE + place.SEQUENCE] as number) > since
  );
}

function isNeighbour(
  points: readonly number[],
  index: number,
  neighbour: number,
  rule: InstructionPointerThresholds,
): boolean {
  const at = index * place.STRIDE;
  const other = neighbour * place.STRIDE;
  if (other < 0 || other >= points.length || points[other + place.SPACE] !== points[at + place.SPACE]) return false;
  return Math.abs((points[other + place.OFFSET] as number) - (points[at + place.OFFSET] as number)) <= rule.maxStep;
}

/** Evidence of an open episode, the start of one, or neither. Returns whether the program shows signs of probing. */
function judge(
  context: TrackerContext,
  program: Program,
  crash: Crash,
  index: number,
  fresh: boolean,
  rule: InstructionPointerThresholds & { enabled: boolean },
): boolean {
  if (!rule.enabled) return false;
  const t = crash.time.seconds;
  const open = program.episodes?.find((e) => e.rule === 'instruction-pointer-probe' && covers(e, t, rule.quiet));
  if (open !== undefined) {
    const joined = joinRegion(open, crash.at.space, crash.at.offset, rule.maxGap);
    const run =
      joined === undefined && fresh && hasRoomForRegion(open) ? findRun(program.points, index, t, rule) : undefined;
    if (joined !== undefined) {
      open.evidence += 1;
      addValue(open, shownAddress(open, joined, crash.at.offset), context.settings.limits.maxValues);
    } else if (run !== undefined) {
      open.evidence += takeRun(context, program, open, run, t, rule).crashes;
    }
    if (joined === undefined && run === undefined) return true;
    open.touched = context.sequence;
    if (crash.printed === PRINTED_TRAP) open.detail = [WITH_TRAPS];
    return true;
  }
  if (!fresh) return false;
  const run = findRun(program.points, index, t, rule);
  if (run !== undefined) openProbe(context, program, crash, run, rule);
  return (
    run !== undefined ||
    isNeighbour(program.points, index, index - 1, rule) ||
    isNeighbour(program.points, index, index + 1, rule)
  );
}

function openProbe(
  context: TrackerContext,
  program: Program,
  crash: Crash,
  run: Run,
  rule: InstructionPointerThresholds,
): void {
  const t = crash.time.seconds;
  const { points } = program;
  let first: Instant = crash.time;
  let value = crash.at.offset;
  for (let i = run.from; i <= run.to; i += 1) {
    if (!place.isInWindow(points, i, t, rule.window)) continue;
    const time = place.firstInWindow(points, i, t, rule.window);
    if (compareInstants(time, first) >= 0) continue;
    first = time;
    value = points[i * place.STRIDE + place.OFFSET] as number;
  }
  const { space } = crash.at;
  const file = space > 0 ? (program.spaces?.[space - 1]?.file ?? null) : null;
  const episode = openEpisode(
    {
      rule: 'instruction-pointer-probe',
      hostname: program.host.name,
      program: program.name,
      register: 'ip',
      place: file === null ? 'absolute' : `file:${file}`,
      first,
      value: toHexadecimal({ space: Math.min(space, 0), offset: value }),
    },
    { procname: program.comm, file },
    0,
  );
  episode.detail = crash.printed === PRINTED_TRAP ? [WITH_TRAPS] : [];
  const taken = takeRun(context, program, episode, run, t, rule);
  episode.evidence = taken.crashes;
  episode.crashes = crashesSince(points, first, t, rule.window);
  const ended = program.episodes?.find((e) => e.rule === episode.rule && e.last.seconds < first.seconds);
  if (ended !== undefined) forgetProbe(program, ended);
  episode.touched = context.sequence;
  rememberProbe(program, episode);
  claimSuppressed(program.host, episode, crash.time);
}

/** Makes the run a region of the episode, with its values. */
function takeRun(
  context: TrackerContext,
  program: Program,
  episode: Episode,
  run: Run,
  t: number,
  rule: InstructionPointerThresholds,
): { crashes: number } {
  const { points } = program;
  const space = points[run.from * place.STRIDE + place.SPACE] as number;
  const low = points[run.from * place.STRIDE + place.OFFSET] as number;
  const high = points[run.to * place.STRIDE + place.OFFSET] as number;
  const region = addRegion(episode, space, low, high, baseOf(program, space));
  let crashes = 0;
  for (let i = run.from; i <= run.to; i += 1) {
    if (!place.isInWindow(points, i, t, rule.window)) continue;
    crashes += points[i * place.STRIDE + place.CRASHES] as number;
    const offset = points[i * place.STRIDE + place.OFFSET] as number;
    addValue(episode, shownAddress(episode, region, offset), context.settings.limits.maxValues);
  }
  return { crashes };
}

/** Crashes of the program since `first`: exact for places first hit since then, at least one for the others. */
function crashesSince(points: readonly number[], first: Instant, t: number, window: number): number {
  let crashes = 0;
  for (let i = 0; i * place.STRIDE < points.length; i += 1) {
    const at = i * place.STRIDE;
    const started = place.firstCrash(points, i);
    if (Math.abs(started.seconds - t) <= window && compareInstants(started, first) >= 0) {
      crashes += points[at + place.CRASHES] as number;
    } else if (place.isInWindow(points, i, t, window) && compareInstants(place.lastCrash(points, i), first) > 0) {
      crashes += 1;
    }
  }
  return crashes;
}

/** Whether an open episode of the program already reports the instruction pointer from trap lines. */
export function isReportedByTraps(program: Program): boolean {
  return program.episodes?.some((e) => e.rule === 'instruction-pointer-probe' && e.detail[0] === WITH_TRAPS) ?? false;
}

/** Whether the dump of this pid, cut short before its instruction pointer, belongs to a crash whose trap line was counted. */
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

function pairWithDisplaced(program: Program, printed: number, seconds: number, at: Address | undefined): boolean {
  const left = takeLine(program.displaced, printed, seconds, at);
  if (left === undefined) return false;
  program.displaced = left.length === 0 ? undefined : left;
  return true;
}
