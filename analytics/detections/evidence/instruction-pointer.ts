import type { Instant } from '#schemas/events/accepted.ts';
import { compareInstants, type Episode, findOpen, openEpisode, valuesTotal } from '../episode.ts';
import { addAddress, addRegion, hasRoomForRegion, holdsRegion, joinRegion } from '../region.ts';
import { toHexadecimal } from '../state/address.ts';
import { forgetProbe, rememberProbe, type TrackerContext } from '../state/context.ts';
import * as place from '../state/crash-points.ts';
import type { Program } from '../state/program.ts';
import { baseOf, spaceAt } from '../state/program-spaces.ts';
import { prunePoints } from '../state/prune-points.ts';
import { repeatsSince } from '../state/repeated-crashes.ts';
import { isNeighbour, PRINTED_TRAP, type RecordedCrash } from './crash-places.ts';
import { areLayoutsUnknown, forgetLayouts, hasVaryingBases, hasVaryingLayouts, noteLayout } from './layouts.ts';
import { type FaultKind, isJump, recordFault } from './placed-faults.ts';
import { type FoundMovement, findMovement, isNullCall, type MovementThresholds } from './pointer-movement.ts';
import { comesBack, crashWithOthers, isDoubtDue } from './scan-doubts.ts';
import { claimSuppressed } from './suppressed-messages.ts';
import { isCandidate, recordUnmapped } from './unmapped-places.ts';

/** First detail of an episode whose evidence includes trap lines. */
const WITH_TRAPS = 'traps';

/** Third detail of an episode whose crashes each have a different memory layout. */
export const NEW_LAYOUTS = 'new layouts';

/** Fourth detail of an episode whose program returns to its crash places. */
export const REVISITED = 'revisited';

/** Fifth detail of an episode on a host where several other programs also crash at random places. */
export const WITH_OTHERS = 'with others';

interface InstructionPointerSettings extends MovementThresholds {
  readonly enabled: boolean;
}

/**
 * Lets the rule judge a recorded crash. Then prunes the places of the program to their bounds, on behalf of every rule
 * that reads them. Returns true if the program shows signs of probing.
 */
export function judgeCrash(
  context: TrackerContext,
  program: Program,
  crash: RecordedCrash,
  rule: InstructionPointerSettings,
): boolean {
  if (!crash.counted || crash.explained) return false;
  const kind = recordFault(program, crash);
  const unmapped = recordUnmapped(program, crash);
  const promising = rule.enabled && judge(context, program, crash, kind, rule);
  if (program.points.length / place.STRIDE >= program.pruneAt) {
    prunePoints(program, rule.window, context.limits.maxPointsPerProgram);
  }
  return promising || unmapped || kind !== undefined;
}

/** Extends an open episode, or opens one, or does nothing. Returns true if the program shows signs of probing. */
function judge(
  context: TrackerContext,
  program: Program,
  crash: RecordedCrash,
  kind: FaultKind | undefined,
  rule: InstructionPointerSettings,
): boolean {
  const { index } = crash;
  const t = crash.time.seconds;
  const open = findOpen(program.episodes, 'instruction-pointer-probe', t, rule.quiet);
  if (open !== undefined) {
    grow(context, program, open, crash, kind, rule);
    return true;
  }
  if (!crash.fresh) return false;
  const found = findMovement(program, crash, kind, rule);
  if (found !== undefined) openProbe(context, program, crash, found, rule);
  return (
    found !== undefined ||
    isNeighbour(program.points, index, index - 1, rule) ||
    isNeighbour(program.points, index, index + 1, rule)
  );
}

/** Adds the crash to an open episode if it belongs to it. */
function grow(
  context: TrackerContext,
  program: Program,
  open: Episode,
  crash: RecordedCrash,
  kind: FaultKind | undefined,
  rule: InstructionPointerSettings,
): void {
  const { space, offset } = crash.at;
  const joined = isNullCall(crash) ? undefined : joinRegion(open, space, offset, reachOf(program, open, crash, rule));
  if (joined !== undefined) {
    open.evidence += 1;
    addAddress(open, joined, offset, context.limits.maxValues);
  } else {
    const found = crash.fresh && hasRoomForRegion(open) ? findMovement(program, crash, kind, rule) : undefined;
    if (found === undefined) return;
    const places = found.places.filter((i) => !isInRegion(open, program.points, i));
    // Isolated crashes before a scan in small steps are not part of it.
    if (found.movement === 'scattered' && places.length < rule.minScattered) return;
    open.evidence += take(context, program, open, places);
    // Small steps are the strongest sign.
    if (open.detail[1] !== 'steps') setDetail(open, 1, found.movement);
  }
  open.touched = context.sequence;
  if (crash.printed === PRINTED_TRAP) setDetail(open, 0, WITH_TRAPS);
  if (isDoubtDue(open.evidence)) doubt(program, open, crash.time.seconds, rule);
  if (open.detail[1] === 'jumps' || (open.detail[1] === 'scattered' && open.severity === 'high')) return;
  const isOther = noteLayout(program, crash);
  if ((!isOther && joined !== undefined) || areLayoutsUnknown(program)) return;
  const isVarying = open.detail[1] === 'steps' ? hasVaryingBases(program) : hasVaryingLayouts(program);
  setDetail(open, 2, isVarying ? NEW_LAYOUTS : '');
}

/** Updates the details that speak against a scan. */
function doubt(program: Program, open: Episode, t: number, rule: InstructionPointerSettings): void {
  const { window } = rule;
  const isRevisited = open.detail[1] === 'scattered' ? comesBack(program, t, window) : isCrashLoop(open, rule);
  setDetail(open, 3, isRevisited ? REVISITED : '');
  setDetail(open, 4, crashWithOthers(program, t, window) ? WITH_OTHERS : '');
}

/**
 * Returns true if a run of a few addresses would no longer open an episode, because it has had too many crashes for each
 * address: a crash loop between a few places, of which the first crashes came by chance to another place each.
 */
function isCrashLoop(open: Episode, rule: InstructionPointerSettings): boolean {
  const distinct = valuesTotal(open);
  return (
    open.detail[1] === 'steps' &&
    distinct < rule.minDistinctWithGaps &&
    open.evidence > distinct * rule.maxCrashesPerAddress
  );
}

/** Replaces one detail in a new list, because reported revisions share the old list. */
function setDetail(episode: Episode, at: number, value: string): void {
  if ((episode.detail[at] ?? '') === value) return;
  const detail = [...episode.detail];
  while (detail.length < at) detail.push('');
  detail[at] = value;
  episode.detail = detail;
}

function isInRegion(episode: Episode, points: readonly number[], index: number): boolean {
  const at = index * place.STRIDE;
  return holdsRegion(episode, points[at + place.SPACE] as number, points[at + place.OFFSET] as number);
}

/** Returns the distance from a region up to which a crash belongs to the episode. */
function reachOf(program: Program, open: Episode, crash: RecordedCrash, rule: InstructionPointerSettings): number {
  const { at, trap } = crash;
  const movement = open.detail[1];
  const isAnywhere =
    (movement === 'scattered' && (at.space > 0 || isCandidate(program, crash))) ||
    (movement === 'jumps' && trap !== undefined && isJump(trap));
  return isAnywhere ? Number.POSITIVE_INFINITY : rule.maxGap;
}

function openProbe(
  context: TrackerContext,
  program: Program,
  crash: RecordedCrash,
  { movement, places, isLaidOutAnew: isNewLayout }: FoundMovement,
  rule: InstructionPointerSettings,
): void {
  const t = crash.time.seconds;
  const { points } = program;
  let first: Instant = crash.time;
  let value = crash.at.offset;
  for (const i of places) {
    const time = place.firstInWindow(points, i, t, rule.window);
    if (compareInstants(time, first) >= 0) continue;
    first = time;
    value = points[i * place.STRIDE + place.OFFSET] as number;
  }
  const { space } = crash.at;
  const file = spaceAt(program, space)?.file ?? null;
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
  episode.detail = [
    crash.printed === PRINTED_TRAP ? WITH_TRAPS : '',
    movement,
    isNewLayout === true ? NEW_LAYOUTS : '',
  ];
  doubt(program, episode, t, rule);
  forgetLayouts(program);
  episode.evidence = take(context, program, episode, places);
  episode.crashes = crashesSince(program, first, t, rule.window);
  const ended = program.episodes?.find((e) => e.rule === episode.rule && e.last.seconds < first.seconds);
  if (ended !== undefined) forgetProbe(program, ended);
  episode.touched = context.sequence;
  rememberProbe(program, episode);
  claimSuppressed(program.host, episode, crash.time);
}

/**
 * Adds the places to the episode as regions, one region per mapping, with their values. Skips places beyond the maximum
 * number of regions. Returns the number of crashes of the added places.
 */
function take(context: TrackerContext, program: Program, episode: Episode, places: readonly number[]): number {
  const { points } = program;
  const spaceOf = (i: number) => points[i * place.STRIDE + place.SPACE] as number;
  const offsetOf = (i: number) => points[i * place.STRIDE + place.OFFSET] as number;
  let crashes = 0;
  for (const [space, ofSpace] of Map.groupBy(places, spaceOf)) {
    if (!hasRoomForRegion(episode)) break;
    // Places are sorted by space, then by offset.
    const [low, high] = [offsetOf(ofSpace[0] as number), offsetOf(ofSpace.at(-1) as number)];
    const region = addRegion(episode, space, low, high, baseOf(program, space));
    for (const i of ofSpace) {
      crashes += points[i * place.STRIDE + place.CRASHES] as number;
      addAddress(episode, region, offsetOf(i), context.limits.maxValues);
    }
  }
  return crashes;
}

/**
 * Counts the crashes of the program since `first`. Exact for places first hit since then. For other places, it counts
 * the stored crashes, at least one.
 */
function crashesSince(program: Program, first: Instant, t: number, window: number): number {
  const { points } = program;
  let crashes = 0;
  for (let i = 0; i * place.STRIDE < points.length; i += 1) {
    const at = i * place.STRIDE;
    const started = place.firstCrash(points, i);
    if (Math.abs(started.seconds - t) <= window && compareInstants(started, first) >= 0) {
      crashes += points[at + place.CRASHES] as number;
    } else if (place.isInWindow(points, i, t, window) && compareInstants(place.lastCrash(points, i), first) > 0) {
      const [space, offset] = [points[at + place.SPACE] as number, points[at + place.OFFSET] as number];
      crashes += Math.max(1, repeatsSince(program, space, offset, first));
    }
  }
  return crashes;
}

/** Returns true if an open episode of the program already reports the instruction pointer from trap lines. */
export function isReportedByTraps(program: Program): boolean {
  return program.episodes?.some((e) => e.rule === 'instruction-pointer-probe' && e.detail[0] === WITH_TRAPS) ?? false;
}
