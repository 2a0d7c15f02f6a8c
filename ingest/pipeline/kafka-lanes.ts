import type { ConsumerHandlers, EventConsumer, TopicPartition } from '../kafka/port.ts';
import { createAcceptedRecords } from './accepted-records.ts';
import { createCatchUp } from './catch-up.ts';
import type { PipelineMetrics } from './metrics.ts';
import type { Pipeline } from './pipeline.ts';
import type { LaneStats, PipelineLane, PipelineLog } from './pipeline-lane.ts';
import { bytesOf } from './pipeline-record.ts';
import { createReadScheduler } from './read-scheduler.ts';
import type { HeldChunk } from './record.ts';
import { chunksOf } from './records-of-kafka.ts';

/** The methods of the consumer that lanes use. */
export type FeedingConsumer = Pick<EventConsumer, 'commit' | 'pause' | 'resume' | 'highWatermark'>;

/**
 * A partition with records that have not landed or are not committed, and how long ago the oldest of them was accepted.
 */
export type WaitingPartition = TopicPartition & { readonly seconds: number };

/** Lanes that a consumer feeds, in this thread or in others. Used by the process that owns them. */
export interface LaneHost extends ConsumerHandlers {
  /** Sets the consumer. It is created with these handlers, so it does not exist when they are created. */
  attach(consumer: FeedingConsumer): void;
  partitions(): readonly TopicPartition[];
  stats(): Promise<readonly LaneStats[]>;
  waiting(): Promise<readonly WaitingPartition[]>;
  /** Lands and commits all accepted records. */
  close(): Promise<void>;
  /** Stops without landing or committing anything more. */
  abandon(): void;
}

/** Records of one partition, packed, in offset order. */
export interface TakenBatch {
  readonly chunks: readonly HeldChunk[];
  /** Offset after the last record. */
  readonly nextOffset: number;
}

export interface KafkaLanes extends LaneHost {
  lanes(): readonly PipelineLane[];
  /** Notes that lanes of other threads have landed records and freed memory. */
  memoryFreed(): void;
  /** As `batch`, for packed records. */
  take(partition: TopicPartition, batch: TakenBatch): Promise<void>;
}

export interface KafkaLanesDeps {
  readonly pipeline: Pipeline;
  readonly metrics: PipelineMetrics;
  readonly log: PipelineLog;
  /** Returns the current end offset of a partition from the broker. Rejects if the broker does not respond. */
  readonly endOf: (partition: TopicPartition) => Promise<number>;
  /** Called if the process must end without acknowledging records. */
  readonly failed: (error: unknown) => void;
}

/**
 * Runs one lane per owned partition: opens it on assignment and abandons it on revocation.
 * Long: its functions share the lanes and the consumer.
 */
export function createKafkaLanes({ pipeline, metrics, log, endOf, failed }: KafkaLanesDeps): KafkaLanes {
  const lanes = new Map<string, PipelineLane>();
  const catchUp = createCatchUp({
    endOf(key) {
      const lane = lanes.get(key)?.lane;
      return lane === undefined ? undefined : consumer?.highWatermark(lane);
    },
  });
  const taken = createAcceptedRecords();
  let consumer: FeedingConsumer | undefined;
  const turns = createReadScheduler({
    ...pipeline.turn,
    pause: (key) => withPartition(key, (partition) => consumer?.pause(partition)),
    resume: (key) => withPartition(key, (partition) => consumer?.resume(partition)),
  });

  return {
    attach(attached) {
      consumer = attached;
    },
    lanes: () => [...lanes.values()],
    partitions: () => [...lanes.values()].map(({ lane }) => lane),
    stats: async () => [...lanes.values()].map((lane) => lane.stats()),
    waiting: async () => taken.waiting(),
    failed,

    async assigned(partitions) {
      const owned = new Set(partitions.map(keyOf));
      for (const [key, lane] of lanes) {
        if (owned.has(key)) continue;
        lane.abandon();
        lanes.delete(key);
        catchUp.forget(key);
        taken.forget(key);
      }
      // A rebalance clears pauses, while reading a partition again does not. Full lanes pause again with their next
      // batch.
      turns.restart();
      for (const partition of partitions) {
        const key = keyOf(partition);
        if (!lanes.has(key)) lanes.set(key, open(partition));
      }
      log.info({ partitions: partitions.map(keyOf) }, 'partitions assigned');
    },

    async batch(partition, records) {
      const last = records.at(-1);
      if (last === undefined) return;
      const chunks = chunksOf(records, pipeline.isTraced).map(({ records: some, traces }) => ({
        records: pipeline.pack(some),
        bytes: bytesOf(some),
        traces,
      }));
      await take(partition, { chunks, nextOffset: last.offset + 1 });
    },
    take,
    memoryFreed: turns.memoryFreed,

    async close() {
      turns.end();
      await Promise.all([...lanes.values()].map((lane) => lane.close()));
    },
    abandon() {
      for (const lane of lanes.values()) lane.abandon();
    },
  };

  async function take(partition: TopicPartition, { chunks, nextOffset }: TakenBatch): Promise<void> {
    const key = keyOf(partition);
    const lane = lanes.get(key);
    if (lane === undefined) return;
    if (await lane.opened.then(yes, no)) await refuseRecreatedTopic(lane, partition);
    // The partition was revoked in the meantime. A change now would affect its new owner.
    if (lanes.get(key) !== lane) return;
    catchUp.delivered(key, nextOffset);
    taken.add(key, partition, nextOffset);
    let records = 0;
    let bytes = 0;
    for (const chunk of chunks) {
      records += chunk.records.length;
      bytes += chunk.bytes;
      lane.take(chunk);
    }
    turns.delivered(key, { records, bytes, behind: catchUp.isBehind(key), full: lane.isFull() });
  }

  function open(partition: TopicPartition): PipelineLane {
    const key = keyOf(partition);
    const { topic } = partition;
    return pipeline.openLane(
      { topic, partition: partition.partition },
      {
        async commit(nextOffset) {
          if (!(await consumer?.commit(partition, nextOffset))) return;
          taken.landed(key, nextOffset);
          const end = consumer?.highWatermark(partition);
          if (end !== undefined) metrics.lag(topic, partition.partition, Math.max(0, end - nextOffset));
        },
        hasRoom() {
          catchUp.resumed(key);
          turns.hasRoom(key);
        },
        isBehind: () => catchUp.isBehind(key),
        isFed: () => turns.isRead(key),
        failed,
      },
    );
  }

  function withPartition(key: string, use: (partition: TopicPartition) => void): void {
    const lane = lanes.get(key)?.lane;
    if (lane !== undefined) use(lane);
  }

  /**
   * Rejects if a partition ends below its landed offset, which ends the process. The topic was deleted and recreated,
   * or this is another cluster. Its records would be taken for landed ones and lost.
   */
  async function refuseRecreatedTopic(lane: PipelineLane, partition: TopicPartition): Promise<void> {
    const seen = consumer?.highWatermark(partition);
    if (seen === undefined || seen > lane.landedOffset()) return;
    // The cached end offset dates from the fetch of these records. Another process may have landed newer records while
    // this one was stopped.
    const end = await endOf(partition);
    if (end > lane.landedOffset()) return;
    throw new Error(
      `${keyOf(partition)} ends at offset ${end}, but records up to ${lane.landedOffset()} of it have landed: the topic was recreated. ` +
        'Choose another topic name (TRAPLINE_TOPIC_PREFIX) or another database (CLICKHOUSE_DATABASE), so that new records are not taken for old ones.',
    );
  }
}

/** Returns the map key of a partition. */
export function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

const yes = () => true;
const no = () => false;
