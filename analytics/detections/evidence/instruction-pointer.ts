import type { Instant } from '#schemas/events/accepted.ts';
import { addValue, compareInstants, covers, type Episode, openEpisode } from '../episode.ts';
import { addRegion, hasRoomForRegion, joinRegion, shownAddress } from '../region.ts';
import { toHexadecimal } from '../state/address.ts';
import { forgetProbe, rememberProbe, type TrackerContext } from '../state/context.ts';
import * as place from '../state/crash-points.ts';
import type { Program } from '../state/program.ts';
import { baseOf } from '../state/program-spaces.ts';
import { prunePoints } from '../state/prune-points.ts';
import { findRun, type Run, type RunThresholds } from './address-runs.ts';
import { type Crash, isNeighbour, PRINTED_TRAP, type RecordedCrash } from './crash-places.ts';
import { claimSuppressed } from './suppressed-messages.ts';

/** First detail of an episode whose evidence includes trap lines. */
const WITH_TRAPS = 'traps';

interface InstructionPointerSettings extends RunThresholds {
  readonly quiet: number;
  readonly enabled: boolean;
}

/**
 * Lets the rule judge a crash that was recorded, then keeps the places of the program within bounds, which it does for every rule that
 * reads them. Returns whether the program shows signs of probing.
 */
export function judgeCrash(
  context: TrackerContext,
  program: Program,
  crash: RecordedCrash,
  rule: InstructionPointerSettings,
): boolean {
  if (!crash.counted) return false;
  const index = place.lowerBound(program.points, crash.at.space, crash.at.offset);
  const promising = rule.enabled && judge(context, program, crash, index, crash.fresh, rule);
  if (program.points.length / place.STRIDE >= program.pruneAt) {
    prunePoints(program, rule.window, context.limits.maxPointsPerProgram);
  }
  return promising;
}

/** Evidence of an open episode, the start of one, or neither. Returns whether the program shows signs of probing. */
function judge(
  context: TrackerContext,
  program: Program,
  crash: Crash,
  index: number,
  fresh: boolean,
  rule: InstructionPointerSettings,
): boolean {
  const t = crash.time.seconds;
  const open = program.episodes?.find((e) => e.rule === 'instruction-pointer-probe' && covers(e, t, rule.quiet));
  if (open !== undefined) {
    const joined = joinRegion(open, crash.at.space, crash.at.offset, rule.maxGap);
    const run =
      joined === undefined && fresh && hasRoomForRegion(open) ? findRun(program.points, index, t, rule) : undefined;
    if (joined !== undefined) {
      open.evidence += 1;
      addValue(open, shownAddress(open, joined, crash.at.offset), context.limits.maxValues);
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
  rule: InstructionPointerSettings,
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
  rule: InstructionPointerSettings,
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
    addValue(episode, shownAddress(episode, region, offset), context.limits.maxValues);
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
