import * as place from '../state/crash-points.ts';
import type { Program } from '../state/program.ts';
import { isInLibrary } from '../state/program-spaces.ts';
import { areOfFewProcesses, findRun, isMoreThanFunction, type Run, type RunThresholds } from './address-runs.ts';
import type { RecordedCrash } from './crash-places.ts';
import { NULL_AREA } from './explained-faults.ts';
import { areFreedLinks } from './freed-links.ts';
import { findSameInPages, type PageThresholds } from './place-in-pages.ts';
import { countPlaces, type FaultKind, faultsOf, ofLatestImage, wholePlace } from './placed-faults.ts';
import { findScattered, type ScatterThresholds } from './scattered-places.ts';
import { isLayoutGuessed } from './unmapped-jumps.ts';
import { findUnmapped, isCandidate, mayBeHandled } from './unmapped-places.ts';

/**
 * How the instruction pointer moves: in small steps, over the whole text, from page to page, or to unmapped addresses.
 * It is the second detail of an episode.
 */
export type Movement = 'steps' | 'scattered' | 'pages' | 'jumps';

/** Thresholds for movements, from the rule for instruction pointers. */
export interface MovementThresholds extends RunThresholds, ScatterThresholds, PageThresholds {
  readonly quiet: number;
  readonly minJumpTargets: number;
  readonly minProtectionFaults: number;
}

/** Places of the program that together form a probe, as ascending indexes. */
export interface FoundMovement {
  readonly movement: Movement;
  readonly places: readonly number[];
  /** True if each crash has a different memory layout. */
  readonly isLaidOutAnew?: boolean;
}

/** Returns the movement that the crash completes at a new place, or undefined if it completes none. */
export function findMovement(
  program: Program,
  crash: RecordedCrash,
  kind: FaultKind | undefined,
  rule: MovementThresholds,
): FoundMovement | undefined {
  const { index } = crash;
  const t = crash.time.seconds;
  const { points } = program;
  // A null pointer with an offset is not a step: its offsets are those of struct fields.
  const run = isNullCall(crash) ? undefined : findRun(points, index, t, rule);
  if (run !== undefined && isProbe(program, run, crash, rule)) {
    const places: number[] = [];
    for (let i = run.from; i <= run.to; i += 1) if (place.isInWindow(points, i, t, rule.window)) places.push(i);
    return { movement: 'steps', places };
  }
  const isExplained = explainedByLayouts(program, t, rule);
  const scattered = crash.at.space > 0 ? findScattered(points, t, rule, isExplained) : undefined;
  if (scattered !== undefined) return { movement: 'scattered', places: scattered };
  const inPages = isExplained?.(crash.at.space) === true ? undefined : findSameInPages(points, index, t, rule);
  if (inPages !== undefined) return { movement: 'pages', places: inPages };
  const unmapped = isCandidate(program, crash) ? findUnmapped(program, t, rule) : undefined;
  if (unmapped !== undefined)
    return { movement: 'scattered', places: unmapped.places, isLaidOutAnew: !unmapped.isOneLayout };
  const faults = kind === undefined ? undefined : findFaults(program, kind, t, rule);
  return faults === undefined ? undefined : { movement: kind === 'jumps' ? 'jumps' : 'scattered', places: faults };
}

/** Returns true if neither a function of a library nor a process that handles its faults explains the run. */
function isProbe(program: Program, run: Run, crash: RecordedCrash, rule: MovementThresholds): boolean {
  const { at, time } = crash;
  if (at.space <= 0) return !(mayBeHandled(program.host, crash) && areOfFewProcesses(program.points, run));
  return !isInLibrary(program, at.space) || isMoreThanFunction(program.points, run, time.seconds, rule);
}

/**
 * Returns a predicate: true for spaces in which guesses of the program's layout explain a crash. Undefined while no
 * layout is being guessed. A guess may hit a library that happens to be mapped there, and then faults at any place of
 * it. That is one attack, which the rule for jumps reports. A place in the program's own file is still separate
 * evidence.
 */
function explainedByLayouts(
  program: Program,
  t: number,
  { quiet }: MovementThresholds,
): ((space: number) => boolean) | undefined {
  if (program.episodes === undefined || !isLayoutGuessed(program, t, quiet)) return undefined;
  return (space) => isInLibrary(program, space);
}

/**
 * Returns the places of the faults of one kind and one image, if there are enough places and most were tried once. A
 * broken pointer sends the children of one parent to the same place again and again, and freed memory to various places.
 */
function findFaults(
  program: Program,
  kind: FaultKind,
  t: number,
  rule: MovementThresholds,
): readonly number[] | undefined {
  const faults = ofLatestImage(faultsOf(program, kind, t, rule.window));
  const minimum = kind === 'jumps' ? rule.minJumpTargets : rule.minProtectionFaults;
  if (faults.length < minimum || (kind === 'jumps' && areFreedLinks(faults))) return undefined;
  const counts = countPlaces(faults, wholePlace);
  const singles = [...counts.values()].filter((count) => count === 1).length;
  if (counts.size < minimum || singles < faults.length * rule.minSingles) return undefined;
  const places = new Set<number>();
  for (const { space, offset } of faults) {
    const at = place.lowerBound(program.points, space, offset);
    if (place.isAt(program.points, at, space, offset)) places.add(at);
  }
  return places.size < minimum ? undefined : [...places].sort((a, b) => a - b);
}

/** Returns true if the program called a null pointer, or a null pointer with an offset. */
export function isNullCall({ at }: RecordedCrash): boolean {
  return at.space === 0 && at.offset < NULL_AREA;
}
