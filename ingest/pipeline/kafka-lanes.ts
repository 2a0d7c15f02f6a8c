import { HEADERS } from '#schemas/topics.ts';
import type { ConsumerHandlers, EventConsumer, KafkaRecord, TopicPartition } from '../kafka/port.ts';
import { createCatchUp } from './catch-up.ts';
import type { PipelineMetrics } from './metrics.ts';
import type { Pipeline } from './pipeline.ts';
import type { PipelineLane, PipelineLog } from './pipeline-lane.ts';
import { createReadingTurns } from './reading-turns.ts';
import { bytesOf, type PipelineRecord } from './record.ts';
import { createTakenOver } from './taken-over.ts';

export interface KafkaLanes extends ConsumerHandlers {
  /** Hands over the consumer these are the handlers of; it is made with them and so comes after them. */
  attach(consumer: EventConsumer): void;
  lanes(): readonly PipelineLane[];
  /** Partitions that hold records not yet landed and committed, and how long ago the first of those was taken over. */
  waiting(): readonly (TopicPartition & { readonly seconds: number })[];
  /** Lands and commits everything taken over. */
  close(): Promise<void>;
}

export interface KafkaLanesDeps {
  readonly pipeline: Pipeline;
  readonly metrics: PipelineMetrics;
  readonly log: PipelineLog;
  /** Asks the broker for the offset a partition ends at, now. Rejects when it does not answer. */
  readonly endOf: (partition: TopicPartition) => Promise<number>;
  /** Told when the process must end with nothing acknowledged. */
  readonly failed: (error: unknown) => void;
}

/** Taking in so many takes some milliseconds; then other lanes and sockets have their turn. */
const CHUNK_RECORDS = 512;

/** One lane for each partition this process owns: opened when it is assigned, given up when it is lost, fed in between. */
export function createKafkaLanes({ pipeline, metrics, log, endOf, failed }: KafkaLanesDeps): KafkaLanes {
  const lanes = new Map<string, PipelineLane>();
  const catchUp = createCatchUp({
    endOf(key) {
      const lane = lanes.get(key)?.lane;
      return lane === undefined ? undefined : consumer?.highWatermark(lane);
    },
  });
  const taken = createTakenOver();
  let consumer: EventConsumer | undefined;
  const turns = createReadingTurns({
    ...pipeline.turn,
    pause: (key) => withPartition(key, (partition) => consumer?.pause(partition)),
    resume: (key) => withPartition(key, (partition) => consumer?.resume(partition)),
  });

  return {
    attach(attached) {
      consumer = attached;
    },
    lanes: () => [...lanes.values()],
    waiting: taken.waiting,
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
      // A rebalance forgets what was paused, reading a partition anew does not; full lanes pause again with their next batch.
      turns.restart();
      for (const partition of partitions) {
        const key = keyOf(partition);
        if (!lanes.has(key)) lanes.set(key, open(partition));
      }
      log.info({ partitions: partitions.map(keyOf) }, 'partitions assigned');
    },

    async batch(partition, records) {
      const key = keyOf(partition);
      const lane = lanes.get(key);
      if (lane === undefined || records.length === 0) return;
      if (await lane.opened.then(yes, no)) await refuseRecreatedTopic(lane, partition);
      // Lost meanwhile: what it would do to the partition now would be done to its successor.
      if (lanes.get(key) !== lane) return;
      const nextOffset = (records.at(-1) as KafkaRecord).offset + 1;
      catchUp.handedOver(key, nextOffset);
      taken.add(key, partition, nextOffset);
      let bytes = 0;
      for (let from = 0; from < records.length; from += CHUNK_RECORDS) {
        const chunk = records.slice(from, from + CHUNK_RECORDS).map(toPipelineRecord);
        const size = bytesOf(chunk);
        bytes += size;
        lane.offer({ records: chunk, bytes: size });
      }
      turns.handedOver(key, { records: records.length, bytes, behind: catchUp.isBehind(key), full: lane.isFull() });
    },

    async close() {
      turns.end();
      await Promise.all([...lanes.values()].map((lane) => lane.close()));
    },
  };

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
   * A partition that ends below what has landed of it is not the one that was read before: the topic was deleted and made
   * anew, or this is another cluster. Its records would be taken for landed ones and lost, so this stops everything.
   */
  async function refuseRecreatedTopic(lane: PipelineLane, partition: TopicPartition): Promise<void> {
    const seen = consumer?.highWatermark(partition);
    if (seen === undefined || seen > lane.landedOffset()) return;
    // Seen when these records were fetched. Somebody else may have landed newer ones since, while this process was stopped.
    const end = await endOf(partition);
    if (end > lane.landedOffset()) return;
    throw new Error(
      `${keyOf(partition)} ends at offset ${end}, but records up to ${lane.landedOffset()} of it have landed: the topic was created anew. ` +
        'Choose another topic name (TRAPLINE_TOPIC_PREFIX) or another database (CLICKHOUSE_DATABASE), so that new records are not taken for old ones.',
    );
  }
}

function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

const yes = () => true;
const no = () => false;

function toPipelineRecord({ offset, key, value, headers }: KafkaRecord): PipelineRecord {
  const id = headers[HEADERS.ingestId];
  const ingestId = id === undefined ? '' : String(Array.isArray(id) ? id[0] : id);
  return { offset, key, value, ingestId };
}
