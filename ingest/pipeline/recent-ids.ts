/**
 * Ingest ids this lane has taken in lately. ClickHouse is asked for older ones; this covers what is on its way there.
 * Two generations of at most `capacity` ids each: when the young one is full it becomes the old one, so memory is bounded
 * and an id is remembered for at least `capacity` further ids.
 */
export interface RecentIds {
  has(id: string): boolean;
  add(id: string): void;
}

export function createRecentIds(capacity: number): RecentIds {
  let young = new Set<string>();
  let old = new Set<string>();
  return {
    has: (id) => young.has(id) || old.has(id),
    add(id) {
      young.add(id);
      if (young.size >= capacity) {
        old = young;
        young = new Set();
      }
    },
  };
}
