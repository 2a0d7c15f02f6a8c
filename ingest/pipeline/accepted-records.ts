import type { TopicPartition } from '../kafka/port.ts';

/** Accept times of the records that have not landed, by partition: the source of the metric of their waiting time. */
export interface AcceptedRecords {
  /** Records before `nextOffset` have just been accepted. */
  add(key: string, partition: TopicPartition, nextOffset: number): void;
  /** Everything up to before `nextOffset` is durable. */
  landed(key: string, nextOffset: number): void;
  /** The partition belongs to another process. */
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
      // A partition that is read again delivers the same records again, so ends are not in order.
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
