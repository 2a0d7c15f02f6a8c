/**
 * Caches ingest ids: all ids of the lane that have not landed, and some that have. ClickHouse is queried for any other
 * id. There are two generations. When a batch has landed and the young generation is full (`capacity` ids or
 * `maxCharacters`), it becomes the old one, and the previous old one is dropped. The ids of a batch that is still
 * filling are then in the old generation. They are dropped only after they have landed.
 */
export interface RecentIds {
  has(id: string): boolean;
  add(id: string): void;
  /** True if the young generation is full. The old one is then dropped when a batch lands. */
  isFull(): boolean;
  /** Call when a batch has landed and no lookup of ids is running. */
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
