import type { PlacedFault } from './placed-faults.ts';

/*
 * glibc (from 2.32) stores in freed memory a link to the next freed block, combined with the address of the link itself:
 * `next XOR (position >> 12)`. A program that calls a function pointer of a freed object jumps to such a value. It
 * differs from execution to execution in all of its bits, and therefore looks like a guess.
 */

/** A link without a next block is an address of a 64-bit program, shifted by 12 bits. No program has memory there. */
const SHIFTED = { from: 2 ** 34, to: 2 ** 36 } as const;
/** Positions of the bits that cancel each other if the link and the next block lie in one page. */
const SHIFTS = [0, 12, 24, 36] as const;
/** Blocks are aligned to 16 bytes. */
const ALIGNMENT = 16;

/**
 * Returns true if the address can be a link in freed memory: a shifted address, or one that leads back to an aligned
 * block of the same page. A guess does so by chance in one of 16 cases.
 */
function isFreedLink({ space, offset }: Pick<PlacedFault, 'space' | 'offset'>): boolean {
  if (space !== 0 || offset < SHIFTED.from) return false;
  if (offset < SHIFTED.to) return true;
  let low = 0;
  for (const shift of SHIFTS) low ^= Math.floor(offset / 2 ** shift) % ALIGNMENT;
  return low === 0;
}

/** Minimum share of links, by which all targets count as values of freed memory: the others led to other pages. */
const MIN_LINKS = 0.5;

/** Returns true if freed memory explains the targets. By chance, half of eight guesses are links in one of 1,100 cases. */
export function areFreedLinks(targets: readonly PlacedFault[]): boolean {
  return targets.length > 0 && targets.filter(isFreedLink).length >= targets.length * MIN_LINKS;
}
