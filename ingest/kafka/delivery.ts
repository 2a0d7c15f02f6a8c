import type { LivenessWatch } from './liveness.ts';
import type { ConsumerHandlers, KafkaRecord, TopicPartition } from './port.ts';

/*
 * Calls the handlers of the owner from the callbacks of kafkajs. Guarantees:
 *
 *   joined (generation n) ──► handlers.assigned ──► handlers.batch …   no batch of n before `assigned` of n has resolved
 *        │                                                             no batch of n after n + 1 has joined
 *        └── joined (n + 1) while `assigned` of n runs: waits for it; skips generations that were replaced before
 */

/** Records of one partition from one fetch, in offset order. */
export interface FetchedBatch {
  readonly at: TopicPartition;
  readonly records: readonly KafkaRecord[];
  readonly highWatermark: number;
}

export interface BatchControl {
  /** Marks the batch as accepted, so that the next one is delivered. */
  readonly resolve: () => void;
  /**
   * Sends a heartbeat, which kafkajs does between batches only. Rejects with a group error if the group has a new
   * generation.
   */
  readonly heartbeat: () => Promise<void>;
}

export interface Delivery {
  /** Notes a new assignment with the complete set of partitions. */
  joined(partitions: readonly TopicPartition[]): void;
  eachBatch(batch: FetchedBatch, control: BatchControl): Promise<void>;
  owns(partition: TopicPartition): boolean;
  readonly assigned: readonly TopicPartition[];
  highWatermark(partition: TopicPartition): number | undefined;
  /** Stops all deliveries. */
  end(): void;
}

export interface DeliveryOptions {
  readonly handlers: ConsumerHandlers;
  readonly heartbeatIntervalMs: number;
  readonly liveness: LivenessWatch;
  /** Called if a handler throws. */
  readonly failed: (error: unknown) => void;
}

export function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

export function createDelivery({ handlers, heartbeatIntervalMs, liveness, failed }: DeliveryOptions): Delivery {
  let generation = 0;
  let partitions: readonly TopicPartition[] = [];
  let owned = new Set<string>();
  /** Resolves when `assigned` of the newest generation has finished. Never rejects. */
  let prepared = Promise.resolve();
  let ended = false;
  const watermarks = new Map<string, number>();
  /** Offset after the last delivered record, in this generation. */
  const delivered = new Map<string, number>();

  function begin(): void {
    const mine = ++generation;
    delivered.clear();
    prepared = prepared.then(async () => {
      if (ended || mine !== generation) return;
      await orFail(() => handlers.assigned(partitions));
    });
  }

  async function orFail(handler: () => Promise<void>): Promise<void> {
    try {
      await handler();
    } catch (error) {
      if (ended) return;
      ended = true;
      failed(error);
    }
  }

  async function eachBatch({ at, records, highWatermark }: FetchedBatch, control: BatchControl): Promise<void> {
    const key = keyOf(at);
    const first = records[0];
    const last = records.at(-1);
    if (first === undefined || last === undefined) return;
    // The offset went backwards within a generation: the broker no longer had the requested offsets (retention, a
    // recreated topic), so reading starts over. The owner sees this as a new assignment.
    if (first.offset < (delivered.get(key) ?? 0)) begin();
    const mine = generation;
    const pulse = keepBeating(control.heartbeat, heartbeatIntervalMs);
    try {
      await Promise.race([prepared, pulse.groupMoved]);
      pulse.throwIfMoved();
      if (ended || mine !== generation || !owned.has(key)) return;
      watermarks.set(key, highWatermark);
      delivered.set(key, last.offset + 1);
      await orFail(() => handlers.batch(at, records));
      if (ended || mine !== generation) return;
      control.resolve();
      pulse.throwIfMoved();
    } finally {
      pulse.stop();
    }
  }

  return {
    joined(now) {
      partitions = now;
      owned = new Set(now.map(keyOf));
      for (const key of watermarks.keys()) if (!owned.has(key)) watermarks.delete(key);
      begin();
    },
    eachBatch: (batch, control) => (ended ? Promise.resolve() : liveness.busy(eachBatch(batch, control))),
    owns: (partition) => !ended && owned.has(keyOf(partition)),
    get assigned() {
      return partitions;
    },
    highWatermark: (partition) => watermarks.get(keyOf(partition)),
    end() {
      ended = true;
    },
  };
}

/** Sends heartbeats while the owner works. Reports when the broker responds that the group has a new generation. */
function keepBeating(heartbeat: BatchControl['heartbeat'], intervalMs: number) {
  let moved: unknown;
  const { promise: groupMoved, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    heartbeat().catch((error: unknown) => {
      // Any other error, such as a lost connection, also fails the next request of the client.
      if (!isGroupError(error)) return;
      moved = error;
      resolve();
    });
  }, intervalMs);
  return {
    groupMoved,
    throwIfMoved() {
      // kafkajs rejoins when it receives this error.
      if (moved !== undefined) throw moved;
    },
    stop: () => clearInterval(timer),
  };
}

const GROUP_ERRORS = ['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'NOT_COORDINATOR_FOR_GROUP'];

/** Returns true if the broker reports that the generation of this member has ended or is about to. */
export function isGroupError(error: unknown): boolean {
  for (let link: unknown = error; link instanceof Error; link = link.cause) {
    const { type } = link as { type?: unknown };
    if (typeof type === 'string' && GROUP_ERRORS.includes(type)) return true;
  }
  return false;
}
