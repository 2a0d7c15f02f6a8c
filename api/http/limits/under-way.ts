/** How many operations of each group are in flight, never more than `most` of one group. */
export interface UnderWay {
  /** False, and nothing is counted, when as many are in flight already. */
  enter(group: string): boolean;
  /** Once for each that entered. */
  leave(group: string): void;
}

/** Groups that are kept although no operation of them is in flight. */
const KEPT = 1_000;

/**
 * A Map that is filled and emptied with every request rehashes itself every few of them, and V8 keeps one copy for the sake of the other: what
 * would be garbage at once grows old, and makes the whole heap be looked through. So who has left stays, until there are too many.
 */
export function createUnderWay({ most }: { readonly most: number }): UnderWay {
  const counts = new Map<string, number>();
  let sweepAt = KEPT;

  function sweep(): void {
    for (const [group, count] of counts) if (count === 0) counts.delete(group);
    sweepAt = counts.size + KEPT;
  }

  return {
    enter(group) {
      const others = counts.get(group) ?? 0;
      if (others >= most) return false;
      counts.set(group, others + 1);
      if (counts.size > sweepAt) sweep();
      return true;
    },
    leave(group) {
      counts.set(group, (counts.get(group) ?? 1) - 1);
    },
  };
}
