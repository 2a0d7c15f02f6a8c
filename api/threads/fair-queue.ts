/**
 * A queue of items by key (an account): items of one key keep their order, and keys take turns. One key with many items
 * delays the first item of another key by one item of each key at most.
 */
export interface FairQueue<T> {
  readonly size: number;
  sizeOf(key: string): number;
  push(key: string, item: T): void;
  /**
   * Removes and returns the first item of the next key whose first item is accepted. Keys whose item is not accepted
   * keep their turn.
   */
  take(accept: (item: T, key: string) => boolean): T | undefined;
  /** Removes an item that waits. */
  remove(key: string, item: T): void;
  /** Removes and returns all items. */
  drain(): T[];
}

export function createFairQueue<T>(): FairQueue<T> {
  /** Items by key, in the order of turns. */
  const queues = new Map<string, T[]>();
  let size = 0;

  return {
    get size() {
      return size;
    },
    sizeOf: (key) => queues.get(key)?.length ?? 0,
    push(key, item) {
      const queue = queues.get(key);
      if (queue === undefined) queues.set(key, [item]);
      else queue.push(item);
      size++;
    },
    take(accept) {
      for (const [key, queue] of queues) {
        const [item] = queue as [T, ...T[]];
        if (!accept(item, key)) continue;
        queue.shift();
        queues.delete(key);
        if (queue.length > 0) queues.set(key, queue);
        size--;
        return item;
      }
      return undefined;
    },
    remove(key, item) {
      const queue = queues.get(key) ?? [];
      const at = queue.indexOf(item);
      if (at < 0) return;
      queue.splice(at, 1);
      if (queue.length === 0) queues.delete(key);
      size--;
    },
    drain() {
      const items = [...queues.values()].flat();
      queues.clear();
      size = 0;
      return items;
    },
  };
}
