/**
 * A map whose entries expire individually, bounded by total weight. It needs neither a timer nor full scans: a cursor
 * moves over the map, a few entries per write, and removes expired entries. So no write takes long. While there are
 * writes, at most about half of the entries are expired.
 */
export interface ExpiringMap<V> {
  get(key: string): V | undefined;
  /** `weight` counts against the capacity. An entry that exceeds the whole capacity is not stored. Default 1. */
  set(key: string, value: V, endsAtMs: number, weight?: number): void;
  /** Changes the expiry of an entry. */
  extend(key: string, endsAtMs: number): void;
  /** Returns the remaining time in ms; 0 for a missing entry. */
  remaining(key: string): number;
  delete(key: string): void;
  /** Number of entries, including expired ones that the cursor has not reached. */
  readonly size: number;
}

interface Entry<V> {
  value: V;
  endsAt: number;
  weight: number;
}

/** Two steps would suffice to keep up; three also catch up. */
const STEPS_PER_WRITE = 3;
/**
 * A growing Map copies all its entries at once, which takes 40 ms for 200,000 entries. Each of these parts copies only
 * its own.
 */
const PARTS = 64;
/** Number of characters to hash. Keys differ at their ends. */
const HASHED_CHARACTERS = 12;

/** @param capacity if writes exceed it, the cursor also removes entries that have not expired */
export function createExpiringMap<V>({ capacity, now }: { capacity: number; now: () => number }): ExpiringMap<V> {
  const parts = Array.from({ length: PARTS }, () => new Map<string, Entry<V>>());
  let at = 0;
  let hand = partAt(at).entries();
  let weighed = 0;

  return {
    get: (key) => living(key)?.value,
    set(key, value, endsAt, weight = 1) {
      const part = partOf(key);
      const known = part.get(key);
      if (weight > capacity) return remove(key, known);
      weighed += weight - (known?.weight ?? 0);
      if (known === undefined) part.set(key, { value, endsAt, weight });
      else Object.assign(known, { value, endsAt, weight });
      sweep();
      while (weighed > capacity) evictOtherThan(key);
    },
    extend(key, endsAt) {
      const entry = partOf(key).get(key);
      if (entry !== undefined) entry.endsAt = endsAt;
      sweep();
    },
    remaining(key) {
      const entry = partOf(key).get(key);
      if (entry === undefined) return 0;
      const left = entry.endsAt - now();
      if (left > 0) return left;
      remove(key, entry);
      return 0;
    },
    delete: (key) => remove(key, partOf(key).get(key)),
    get size() {
      return parts.reduce((size, part) => size + part.size, 0);
    },
  };

  function living(key: string): Entry<V> | undefined {
    const entry = partOf(key).get(key);
    if (entry === undefined || entry.endsAt > now()) return entry;
    remove(key, entry);
    return undefined;
  }

  function sweep(): void {
    const time = now();
    for (let step = 0; step < STEPS_PER_WRITE; step += 1) {
      const next = advance();
      if (next !== undefined && next[1].endsAt <= time) remove(...next);
    }
  }

  function evictOtherThan(kept: string): void {
    const next = advance();
    if (next !== undefined && next[0] !== kept) remove(...next);
  }

  /**
   * Returns the next entry, or undefined when it moves to the next part. An iterator of a Map tolerates concurrent
   * additions and deletions.
   */
  function advance(): [string, Entry<V>] | undefined {
    const next = hand.next();
    if (!next.done) return next.value;
    at = (at + 1) % PARTS;
    hand = partAt(at).entries();
    return undefined;
  }

  function remove(key: string, entry: Entry<V> | undefined): void {
    if (entry === undefined) return;
    partOf(key).delete(key);
    weighed -= entry.weight;
  }

  function partOf(key: string): Map<string, Entry<V>> {
    let hash = 0;
    for (let i = Math.max(0, key.length - HASHED_CHARACTERS); i < key.length; i += 1) {
      hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0;
    }
    return partAt((hash ^ (hash >>> 16)) & (PARTS - 1));
  }

  function partAt(index: number): Map<string, Entry<V>> {
    return parts[index] as Map<string, Entry<V>>;
  }
}
