/**
 * Entries that end at a time of their own, bounded in weight. What has ended goes without a timer and without ever going through
 * all of it: a hand goes round the map, a few entries further with every write. So no write takes long, and what has ended is
 * never more than about half of what is there while there are writes.
 */
export interface ExpiringMap<V> {
  get(key: string): V | undefined;
  /** `weight` counts against the capacity; what weighs more than all of it is not kept. Default 1. */
  set(key: string, value: V, endsAtMs: number, weight?: number): void;
  /** Lets an entry end at another time. */
  extend(key: string, endsAtMs: number): void;
  /** ms left; 0 for what is not there. */
  remaining(key: string): number;
  delete(key: string): void;
  /** Entries held, ended ones that the hand has not come to included. */
  readonly size: number;
}

interface Entry<V> {
  value: V;
  endsAt: number;
  weight: number;
}

/** Two would keep up; three also catches up. */
const STEPS_PER_WRITE = 3;
/** A Map that grows moves all it holds at once, 40 ms for 200,000 entries; one of so many parts moves its own few. */
const PARTS = 64;
/** Keys differ at their ends. */
const HASHED_CHARACTERS = 12;

/** @param capacity when writes exceed it, entries the hand comes to go although they have not ended */
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

  /** The next entry, or a step to the next part. An iterator of a Map continues over concurrent additions and deletions. */
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
