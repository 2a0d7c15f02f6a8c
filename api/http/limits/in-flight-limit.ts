/** How many operations of each group are in flight, never more than `max` of one group. */
export interface InFlightLimit {
  /** False, and nothing is counted, when as many are in flight already. */
  enter(group: string): boolean;
  /** Once for each that entered. */
  leave(group: string): void;
}

/** Groups that are kept although no operation of them is in flight. */
const KEPT = 1_000;

/**
 * Limits the operations in flight of each group. A Map that gains and loses an entry with every request rehashes often, and V8 promotes the old tables to
 * the old generation, which causes full collections. So groups without operations stay until there are `KEPT` of them.
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
