import { kthSmallest } from './kth-smallest.ts';

/**
 * Which of `count` entries stay when a set is full: those with company (they may belong to a run) before lonely ones, among
 * equals the most recently touched. Returns a predicate on the index; exactly `keep` entries stay, as sequences differ.
 */
export function chooseKept(
  count: number,
  keep: number,
  hasCompany: (index: number) => boolean,
  sequenceOf: (index: number) => number,
): (index: number) => boolean {
  // Company counts above every sequence.
  const ranks = new Float64Array(count);
  for (let i = 0; i < count; i += 1) ranks[i] = sequenceOf(i) + (hasCompany(i) ? 2 ** 52 : 0);
  const threshold = kthSmallest(ranks.slice(), count - keep);
  return (index) => (ranks[index] as number) >= threshold;
}
