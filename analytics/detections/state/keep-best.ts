import { kthSmallest } from './kth-smallest.ts';

/** Added to the rank of an entry that has neighbours. It outweighs every sequence number. */
export const WITH_NEIGHBOURS = 2 ** 52;

/**
 * Chooses which entries to keep when a set is full. The rank of an entry is the number of the event that changed it
 * last, plus `WITH_NEIGHBOURS` if it has close neighbours. An entry with neighbours may belong to a run. Returns a
 * predicate on the index. Exactly `keep` entries are kept, because ranks are distinct.
 */
export function chooseKept(ranks: Float64Array, keep: number): (index: number) => boolean {
  const threshold = kthSmallest(ranks.slice(), ranks.length - keep);
  return (index) => (ranks[index] as number) >= threshold;
}
