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

/** What lanes ask of the consumer that feeds them. */
export type FeedingConsumer = Pick<EventConsumer, 'commit' | 'pause' | 'resume' | 'highWatermark'>;

/** A partition that holds records not yet landed and committed, and how long ago the first of those was taken over. */
export type WaitingPartition = TopicPartition & { readonly seconds: number };

/** Lanes under a consumer, wherever they run: what the process that owns them needs. */
export interface LaneHost extends ConsumerHandlers {
  /** Sets the consumer, which is created with these handlers and so exists only after them. */
  attach(consumer: FeedingConsumer): void;
  partitions(): readonly TopicPartition[];
  stats(): Promise<readonly LaneStats[]>;
  waiting(): Promise<readonly WaitingPartition[]>;
  /** Lands and commits everything taken over. */
  close(): Promise<void>;
  /** Lands and commits nothing more. */
  abandon(): void;
}

/** Records of one partition, packed, in offset order. */
export interface TakenBatch {
  readonly chunks: readonly HeldChunk[];
  /** Behind the last of them. */
  readonly nextOffset: number;
}

export interface KafkaLanes extends LaneHost {
  lanes(): readonly PipelineLane[];
  /** There is more memory, because lanes of other threads have landed. */
  memoryFreed(): void;
  /** `batch`, for records that are packed already. */
  take(partition: TopicPartition, batch: TakenBatch): Promise<void>;
}

export interface KafkaLanesDeps {
  readonly pipeline: Pipeline;
  readonly metrics: PipelineMetrics;
  readonly log: PipelineLog;
  /** Asks the broker for the offset a partition ends at, now. Rejects when it does not answer. */
  readonly endOf: (partition: TopicPartition) => Promise<number>;
  /** Called when the process must end without an acknowledgement. */
  readonly failed: (error: unknown) => void;
}

/**
 * One lane for each partition this process owns: opened when it is assigned, given up when it is lost, fed in between.
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
      // A rebalance forgets pauses, reading a partition again does not; full lanes pause again with their next batch.
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
    // The partition was lost before this point: a change now would affect its new owner.
    if (lanes.get(key) !== lane) return;
    catchUp.handedOver(key, nextOffset);
    taken.add(key, partition, nextOffset);
    let records = 0;
    let bytes = 0;
    for (const chunk of chunks) {
      records += chunk.records.length;
      bytes += chunk.bytes;
      lane.take(chunk);
    }
    turns.handedOver(key, { records, bytes, behind: catchUp.isBehind(key), full: lane.isFull() });
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
   * A partition that ends below its landed offset is not the one that was read before: the topic was deleted and created again, or this is another cluster.
   * Its records would count as landed and be lost. Rejects then, which ends the process.
   */
  async function refuseRecreatedTopic(lane: PipelineLane, partition: TopicPartition): Promise<void> {
    const seen = consumer?.highWatermark(partition);
    if (seen === undefined || seen > lane.landedOffset()) return;
    // Known since these records were fetched. Another process may have landed newer ones since, while this process was stopped.
    const end = await endOf(partition);
    if (end > lane.landedOffset()) return;
    throw new Error(
      `${keyOf(partition)} ends at offset ${end}, but records up to ${lane.landedOffset()} of it have landed: the topic was recreated. ` +
        'Choose another topic name (TRAPLINE_TOPIC_PREFIX) or another database (CLICKHOUSE_DATABASE), so that new records are not taken for old ones.',
    );
  }
}

/** Names a partition. */
export function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

const yes = () => true;
const no = () => false;
