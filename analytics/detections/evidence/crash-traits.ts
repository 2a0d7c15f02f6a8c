import type { Program } from '../state/program.ts';
import type { RecordedCrash } from './crash-places.ts';
import { isFarAccess, isJump } from './placed-faults.ts';

/**
 * Properties of a crash as bits. A rule declares which crashes it needs by these bits. Nearly every crash is part of a
 * crash loop at a known place of a program without detections. It has no trait, and most rules can skip it.
 */
export const CRASH_TRAITS = {
  /** The place is new to the program, or new again after the window. */
  fresh: 1,
  /** The program has episodes, open or ended. */
  episodes: 2,
  /** An instruction fetch failed. */
  jump: 4,
  /** A trap other than a page fault. */
  otherTrap: 8,
  /** The registers of a dump are known, and there is no trap line. */
  dump: 16,
  /** A rule watches the program by its name. */
  watched: 32,
  /** A memory access failed at an address that is no null pointer. */
  farAccess: 64,
} as const;

/** Trait of every crash. Rules that declare no traits receive all crashes. */
const ANY = 128;

/** Returns the trait mask of a rule. The rule receives crashes that have at least one of these traits. */
export function neededTraits(stated: number | undefined): number {
  return stated ?? ANY;
}

/** Returns the traits of a recorded crash. */
export function traitsOf(program: Program, { trap, fresh }: RecordedCrash): number {
  let traits = ANY;
  if (fresh) traits |= CRASH_TRAITS.fresh;
  if (program.episodes !== undefined) traits |= CRASH_TRAITS.episodes;
  if (program.isWatched === true) traits |= CRASH_TRAITS.watched;
  if (trap === undefined) return traits | CRASH_TRAITS.dump;
  if (trap.trap.type !== 'Segfault') return traits | CRASH_TRAITS.otherTrap;
  if (isJump(trap)) return traits | CRASH_TRAITS.jump;
  return isFarAccess(trap) ? traits | CRASH_TRAITS.farAccess : traits;
}
