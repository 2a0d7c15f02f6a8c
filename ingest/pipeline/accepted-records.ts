import type { TopicPartition } from '../kafka/port.ts';

/** Tracks per partition when records were accepted that have not landed yet. The source of the waiting-time metric. */
export interface AcceptedRecords {
  /** Notes that the records before `nextOffset` have been accepted now. */
  add(key: string, partition: TopicPartition, nextOffset: number): void;
  /** Notes that all records before `nextOffset` are durable. */
  landed(key: string, nextOffset: number): void;
  /** Drops the partition, which belongs to another process now. */
  forget(key: string): void;
  waiting(): (TopicPartition & { readonly seconds: number })[];
}

interface Waiting {
  readonly partition: TopicPartition;
  readonly batches: { readonly nextOffset: number; readonly atMs: number }[];
}

export function createAcceptedRecords(nowMs: () => number = performance.now.bind(performance)): AcceptedRecords {
  const partitions = new Map<string, Waiting>();
  return {
    add(key, partition, nextOffset) {
      const known = partitions.get(key) ?? { partition, batches: [] };
      known.batches.push({ nextOffset, atMs: nowMs() });
      partitions.set(key, known);
    },
    landed(key, nextOffset) {
      const batches = partitions.get(key)?.batches;
      if (batches === undefined) return;
      // A partition that is read again delivers the same records again, so end offsets are not monotonic.
      let done = 0;
      while ((batches[done]?.nextOffset ?? Number.POSITIVE_INFINITY) <= nextOffset) done++;
      batches.splice(0, done);
    },
    forget: (key) => void partitions.delete(key),
    waiting() {
      const now = nowMs();
      return [...partitions.values()].map(({ partition, batches: [first] }) => ({
        ...partition,
        seconds: first === undefined ? 0 : (now - first.atMs) / 1_000,
      }));
    },
  };
}
