import type { Program } from '../state/program.ts';
import type { RecordedCrash } from './crash-places.ts';
import { isJump } from './placed-faults.ts';

/**
 * Properties of a crash as bits, by which a rule states which crashes it takes in. Nearly every crash is one of a loop, at a known place of a
 * program without detections: it has none of these, and most rules need not see it.
 */
export const CRASH_TRAITS = {
  /** The place is new to the program, or new again after the window. */
  fresh: 1,
  /** The program has episodes, open or ended. */
  episodes: 2,
  /** The fetch of an instruction failed. */
  jump: 4,
  /** A trap other than a page fault. */
  otherTrap: 8,
  /** The registers of a dump are known, and no trap line. */
  dump: 16,
  /** A rule watches the program by its name. */
  watched: 32,
} as const;

/** Every crash has it: rules that state no traits take in all crashes. */
const ANY = 64;

/** The traits of which a crash must have one for a rule to take it in. */
export function neededTraits(stated: number | undefined): number {
  return stated ?? ANY;
}

/** The traits of a crash that was recorded. */
export function traitsOf(program: Program, { trap, fresh }: RecordedCrash): number {
  let traits = ANY;
  if (fresh) traits |= CRASH_TRAITS.fresh;
  if (program.episodes !== undefined) traits |= CRASH_TRAITS.episodes;
  if (program.isWatched === true) traits |= CRASH_TRAITS.watched;
  if (trap === undefined) return traits | CRASH_TRAITS.dump;
  if (trap.trap.type !== 'Segfault') return traits | CRASH_TRAITS.otherTrap;
  return isJump(trap) ? traits | CRASH_TRAITS.jump : traits;
}
