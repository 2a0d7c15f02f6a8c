/**
 * Ingest ids this lane has taken in and not seen landed yet, and as many landed ones as fit: ClickHouse is asked for the others.
 * Two generations: a young one that holds `capacity` ids, or `maxCharacters` of them, becomes the old one when a batch has landed.
 * The ids of a batch that is still filling then are in the old one, which is forgotten after they have landed themselves.
 */
export interface RecentIds {
  has(id: string): boolean;
  add(id: string): void;
  /** There are so many that the older ones are forgotten when a batch lands. */
  isFull(): boolean;
  /** A batch has landed, and no query for unknown ids is running. */
  landed(): void;
}

const MAX_CHARACTERS = 8 * 2 ** 20;

export function createRecentIds(capacity: number, maxCharacters = MAX_CHARACTERS): RecentIds {
  let young = new Set<string>();
  let old = new Set<string>();
  let characters = 0;
  const isFull = () => young.size >= capacity || characters >= maxCharacters;
  return {
    has: (id) => young.has(id) || old.has(id),
    add(id) {
      young.add(id);
      characters += id.length;
    },
    isFull,
    landed() {
      if (!isFull()) return;
      old = young;
      young = new Set();
      characters = 0;
    },
  };
}
