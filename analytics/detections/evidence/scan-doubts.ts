import * as place from '../state/crash-points.ts';
import type { Program } from '../state/program.ts';
import { isInLibrary } from '../state/program-spaces.ts';
import { replaceLeast } from './scattered-places.ts';

/*
 * Signs that crashes at many places are no scan. None of them makes a detection disappear: they lower its severity, because an
 * attacker can produce each of them at a price.
 */

/** Crashes of a program come back so often to the average of its places, without its crash loops. */
const MIN_VISITS = 3;
/** Places left out because they have the most crashes: a scan that runs next to a crash loop stays a scan. */
const LOOPS = 3;
/** So many other programs of the host crash as if at random. */
const MIN_OTHERS = 5;
/** Places that a program under test comes back to. */
const MANY_FAULTS = 8;
/** Programs of a host that are looked at, the newest ones: an attacker can make many. */
const MAX_LOOKED_AT = 256;

/** The doubts about an episode are judged again with so much more evidence at least. */
const JUDGE_EVERY = 8;

/**
 * Whether the doubts about an episode with so much evidence are to be judged: with each eighth crash, later with each eighth part more. Their cost
 * grows with the number of programs and places, and an attack may have a hundred thousand crashes.
 */
export function isDoubtDue(evidence: number): boolean {
  const highest = 1 << (31 - Math.clz32(Math.max(1, evidence)));
  const step = Math.max(JUDGE_EVERY, highest / JUDGE_EVERY);
  // A power of two.
  return (evidence & (step - 1)) === 0;
}

/**
 * Whether the program comes back to its places on average: at least three crashes a place in mapped files, its three worst crash loops left out. A scan gains nothing
 * from a second try, while a program under test meets the same faults again and again.
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
 * Whether at least five other executables of the host crash too, each of them mostly at places of their own with one crash. Failing memory, an unstable
 * processor and a test suite make unrelated programs crash; requests to a service reach one program. Libraries and names that processes give themselves do not count.
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

/** Whether the program crashed within the window, and mostly once at each place. */
function isSpread({ points }: Program, t: number, window: number): boolean {
  const counts = countsOf(points, t, window);
  return counts.length > 0 && counts.filter((count) => count === 1).length * 2 > counts.length;
}

/**
 * Whether the program came back to at least eight places of its own file, which are then as many faults. Such a program is under test, and it also aborts for several reasons.
 * Attackers need one fault. Places in libraries do not count: a heap that an attacker damages fails at many places of the C library.
 */
export function hasManyFaults(program: Program, t: number, window: number): boolean {
  const counts = countsOf(program.points, t, window, (space) => !isInLibrary(program, space));
  return counts.filter((count) => count > 1).length >= MANY_FAULTS;
}

/** How many crashes each place of a mapped file has, in the mappings that are `included`. */
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
