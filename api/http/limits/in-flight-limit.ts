/** Counts the operations in flight of each group, at most `max` per group. */
export interface InFlightLimit {
  /** Returns false and counts nothing if the group is at its limit. */
  enter(group: string): boolean;
  /** Must be called once for each successful `enter`. */
  leave(group: string): void;
}

/** Maximum number of idle groups that stay in the map. */
const KEPT = 1_000;

/**
 * Limits the operations in flight per group. A Map that gains and loses an entry with every request rehashes often. V8
 * then promotes the old tables to the old generation, which causes full collections. Therefore up to `KEPT` idle groups
 * stay in the map.
 */
export function createInFlightLimit({ max }: { readonly max: number }): InFlightLimit {
  const counts = new Map<string, number>();
  let sweepAt = KEPT;

  function sweep(): void {
    for (const [group, count] of counts) if (count === 0) counts.delete(group);
    sweepAt = counts.size + KEPT;
  }

  return {
    enter(group) {
      const others = counts.get(group) ?? 0;
      if (others >= max) return false;
      counts.set(group, others + 1);
      if (counts.size > sweepAt) sweep();
      return true;
    },
    leave(group) {
      counts.set(group, (counts.get(group) ?? 1) - 1);
    },
  };
}
