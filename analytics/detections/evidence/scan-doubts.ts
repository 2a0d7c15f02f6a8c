import * as place from '../state/crash-points.ts';
import type { Program } from '../state/program.ts';
import { isInLibrary } from '../state/program-spaces.ts';
import { replaceLeast } from './scattered-places.ts';

/*
 * Signs that crashes at many places are no scan. None of them removes a detection. They lower its severity, because an
 * attacker can produce each of them at a cost.
 */

/** Minimum average number of crashes per place, without crash loops. */
const MIN_VISITS = 3;
/**
 * Number of places that are excluded as crash loops, those with the most crashes. A scan next to a crash loop is still
 * recognised.
 */
const LOOPS = 3;
/** Minimum number of other programs of the host that crash as if at random. */
const MIN_OTHERS = 5;
/** Minimum number of places to which a program under test returns. */
const MANY_FAULTS = 8;
/** Maximum number of programs of a host that are checked, the newest. An attacker can create many. */
const MAX_LOOKED_AT = 256;

/** Minimum growth of the evidence between two checks of the doubts. */
const JUDGE_EVERY = 8;

/**
 * Returns true if the doubts are due to be checked at this amount of evidence: at each eighth crash, later after each
 * growth by an eighth. The cost of a check grows with the number of programs and places, and an attack may have a
 * hundred thousand crashes.
 */
export function isDoubtDue(evidence: number): boolean {
  const highest = 1 << (31 - Math.clz32(Math.max(1, evidence)));
  const step = Math.max(JUDGE_EVERY, highest / JUDGE_EVERY);
  // `step` is a power of two.
  return (evidence & (step - 1)) === 0;
}

/**
 * Returns true if the program returns to its places on average: at least three crashes per place in mapped files,
 * excluding its three largest crash loops. A scan gains nothing from a second try. A program under test meets the same
 * faults again and again.
 */
export function comesBack({ points }: Program, t: number, window: number): boolean {
  const counts = countsOf(points, t, window);
  const loops = new Array<number>(LOOPS).fill(0);
  let crashes = 0;
  for (let i = 0; i < counts.length; i += 1) {
    const count = counts[i] as number;
    crashes += count;
    replaceLeast(loops, count);
  }
  const others = counts.length - LOOPS;
  return others > 0 && crashes - loops.reduce((sum, count) => sum + count, 0) >= others * MIN_VISITS;
}

/**
 * Returns true if at least five other executables of the host also crash, most of them at places with one crash each.
 * Failing memory, an unstable processor and a test suite make unrelated programs crash. Requests to a service reach one
 * program. Libraries and process names set by the processes themselves do not count.
 */
export function crashWithOthers(program: Program, t: number, window: number): boolean {
  let others = 0;
  let other = program.host.last;
  for (let looked = 0; other !== undefined && looked < MAX_LOOKED_AT; looked += 1) {
    if (other !== program && other.latest?.isLibrary === false && isSpread(other, t, window)) others += 1;
    if (others >= MIN_OTHERS) return true;
    other = other.earlier;
  }
  return false;
}

/** Returns true if the program crashed within the window, mostly once per place. */
function isSpread({ points }: Program, t: number, window: number): boolean {
  const counts = countsOf(points, t, window);
  return counts.length > 0 && counts.filter((count) => count === 1).length * 2 > counts.length;
}

/**
 * Returns true if the program returned to at least eight places of its own file, which count as eight faults. Such a
 * program is under test, and it also aborts for several reasons. Attackers need one fault. Places in libraries do not
 * count, because a heap that an attacker damages fails at many places of the C library.
 */
export function hasManyFaults(program: Program, t: number, window: number): boolean {
  const counts = countsOf(program.points, t, window, (space) => !isInLibrary(program, space));
  return counts.filter((count) => count > 1).length >= MANY_FAULTS;
}

/** Returns the number of crashes of each place in the `included` mappings. */
function countsOf(
  points: readonly number[],
  t: number,
  window: number,
  included: (space: number) => boolean = () => true,
): number[] {
  const counts: number[] = [];
  for (let index = 0; index * place.STRIDE < points.length; index += 1) {
    const at = index * place.STRIDE;
    const space = points[at + place.SPACE] as number;
    if (space <= 0 || !place.isInWindow(points, index, t, window) || !included(space)) continue;
    counts.push(points[at + place.CRASHES] as number);
  }
  return counts;
}
