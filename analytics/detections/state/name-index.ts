import { randomInt } from 'node:crypto';

/**
 * Hash table of items by the number of their owner and their name. A lookup reads two numbers. A `Map` would read five
 * objects that are not in the processor's cache, and search V8's string table for each new string. Open addressing with
 * linear probing, at most half full.
 */
export interface NameIndex<Item> {
  find(owner: number, name: string): Item | undefined;
  /**
   * Returns the item with this hash, which is almost always the one with the name. Does not read the item itself, so
   * that many lookups can run in parallel in the processor.
   */
  findProbable(hash: number): Item | undefined;
  /** The item must not be in the table. */
  add(item: Item): void;
  /** The item must be in the table. */
  remove(item: Item): void;
}

const SMALLEST = 64;
/** Random per process, so that an attacker cannot prepare names that collide. Results do not depend on it. */
const SEED = randomInt(2 ** 32) | 0;

/**
 * Creates an empty table. `ownerOf` returns the number of an item's owner. Owner and name identify an item. Items
 * without a name cannot be in the table.
 */
export function createNameIndex<Item extends { readonly name: string | null }>(
  ownerOf: (item: Item) => number,
): NameIndex<Item> {
  /** 0 marks a free place. */
  let hashes = new Int32Array(SMALLEST);
  let items = emptyPlaces<Item>(SMALLEST);
  let size = 0;

  /** Stores an item in a free place for the hash. */
  function put(hash: number, item: Item): void {
    const mask = hashes.length - 1;
    let at = hash & mask;
    while (hashes[at] !== 0) at = (at + 1) & mask;
    hashes[at] = hash;
    items[at] = item;
  }

  function grow(): void {
    const [oldHashes, oldItems] = [hashes, items];
    hashes = new Int32Array(oldHashes.length * 2);
    items = emptyPlaces(hashes.length);
    for (let at = 0; at < oldHashes.length; at += 1)
      if (oldHashes[at] !== 0) put(oldHashes[at] as number, oldItems[at] as Item);
  }

  return {
    find(owner, name) {
      const hash = hashOf(owner, name);
      const mask = hashes.length - 1;
      for (let at = hash & mask; hashes[at] !== 0; at = (at + 1) & mask) {
        if (hashes[at] !== hash) continue;
        const item = items[at] as Item;
        if (item.name === name && ownerOf(item) === owner) return item;
      }
      return undefined;
    },
    findProbable(hash) {
      const mask = hashes.length - 1;
      for (let at = hash & mask; hashes[at] !== 0; at = (at + 1) & mask) if (hashes[at] === hash) return items[at];
      return undefined;
    },
    add(item) {
      size += 1;
      if (size * 2 > hashes.length) grow();
      put(hashOf(ownerOf(item), item.name as string), item);
    },
    remove(item) {
      const mask = hashes.length - 1;
      let free = hashOf(ownerOf(item), item.name as string) & mask;
      while (items[free] !== item) free = (free + 1) & mask;
      size -= 1;
      // Moves back items that a collision had displaced past this place, so that no search ends at the gap.
      for (let at = (free + 1) & mask; hashes[at] !== 0; at = (at + 1) & mask) {
        const home = (hashes[at] as number) & mask;
        if (((at - home) & mask) < ((at - free) & mask)) continue;
        hashes[free] = hashes[at] as number;
        items[free] = items[at];
        free = at;
      }
      hashes[free] = 0;
      items[free] = undefined;
    },
  };
}

function emptyPlaces<Item>(count: number): (Item | undefined)[] {
  return new Array<Item | undefined>(count).fill(undefined);
}

/** Returns the hash of an item, which is never 0. Processes two characters per step. */
export function hashOf(owner: number, name: string): number {
  let hash = mix(SEED ^ owner);
  const { length } = name;
  let at = 0;
  for (; at + 1 < length; at += 2) hash = mix(hash ^ (name.charCodeAt(at) | (name.charCodeAt(at + 1) << 16)));
  if (at < length) hash = mix(hash ^ name.charCodeAt(at) ^ length);
  return hash === 0 ? 1 : hash;
}

function mix(hash: number): number {
  const mixed = Math.imul(hash, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
