import { kthSmallest } from './kth-smallest.ts';

/** Added to the rank of an entry with company: it counts above every sequence. */
export const WITH_COMPANY = 2 ** 52;

/**
 * Which of the entries of these ranks stay when a set is full. The rank of an entry is the number of the event that touched it last, plus `WITH_COMPANY` if others
 * are close, as it may then belong to a run. Returns a predicate on the index; exactly `keep` entries stay, as ranks differ.
 */
export function chooseKept(ranks: Float64Array, keep: number): (index: number) => boolean {
  const threshold = kthSmallest(ranks.slice(), ranks.length - keep);
  return (index) => (ranks[index] as number) >= threshold;
}
