import { setTimeout as pause } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { createKafkaClient, type KafkaConnection } from './client.ts';
import { KafkaFailure } from './failure.ts';
import type { KafkaLog } from './log.ts';

export interface TopicPlan {
  readonly topic: string;
  readonly partitions: number;
  /** Default: the broker's setting. */
  readonly replicationFactor?: number | undefined;
  /** Topic settings by their Kafka names, e.g. `max.message.bytes`. */
  readonly config?: Readonly<Record<string, string>> | undefined;
}

export interface ClusterDescription {
  readonly brokers: readonly { readonly id: number; readonly address: string }[];
  /** Number of partitions per requested topic. Topics that do not exist are absent. */
  readonly topics: ReadonlyMap<string, number>;
}

export interface PartitionOffsets {
  readonly partition: number;
  /** Offset of the first record in the log, and offset of the next record. */
  readonly low: number;
  readonly high: number;
  /** The committed offset of the group; undefined if it has committed nothing. */
  readonly committed: number | undefined;
}

/** Administration of a cluster, for `migrate` and `doctor`. Every method rejects with a `KafkaFailure`. */
export interface KafkaAdmin {
  /**
   * Creates missing topics and waits until all their partitions have leaders. Does not change existing topics. Returns
   * the names of the created topics.
   */
  ensureTopics(plans: readonly TopicPlan[]): Promise<string[]>;
  describe(topics: readonly string[]): Promise<ClusterDescription>;
  offsets(topic: string, groupId: string): Promise<PartitionOffsets[]>;
  /** Returns the offset after the last record of a partition; 0 if the partition does not exist. */
  endOf(topic: string, partition: number): Promise<number>;
  /** Sets the committed offsets of the group, by partition. Rejects while the group has members. */
  moveGroup(topic: string, groupId: string, offsets: ReadonlyMap<number, number>): Promise<void>;
  deleteTopics(topics: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const USE_BROKER_DEFAULT = -1;
const LEADERS_WITHIN_MS = 15_000;
/** A user waits for the response, so errors are reported after about 3 s. */
const TRIES = 5;
const STARTING_BACKOFF_MS = 200;
/**
 * Errors of a broker that has just started: the coordinator is loading the commits of groups, or the broker is not
 * registered yet. kafkajs does not retry these requests.
 */
const STARTING = new Set([
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
  'INVALID_REPLICATION_FACTOR',
]);

/** Creates the client. It connects at the first call. */
export function createKafkaAdmin({ log }: { readonly log: KafkaLog }, connection: KafkaConnection): KafkaAdmin {
  const client = createKafkaClient(connection, log, TRIES);
  const admin = client.kafka.admin();
  let connecting: Promise<void> | undefined;

  async function ask<T>(operation: string, question: (admin: Admin) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        connecting ??= admin.connect();
        await connecting;
        return await question(admin);
      } catch (error) {
        connecting = undefined;
        const failure = new KafkaFailure(operation, error);
        if (attempt >= TRIES || !STARTING.has(failure.code)) throw failure;
        log.debug({ attempt, err: failure }, 'Kafka broker is starting, retrying');
        await pause(STARTING_BACKOFF_MS * 2 ** (attempt - 1));
      }
    }
  }

  return {
    ensureTopics: (plans) =>
      ask('create topics', async () => {
        const existing = new Set(await admin.listTopics());
        const missing = plans.filter(({ topic }) => !existing.has(topic));
        if (missing.length === 0) return [];
        await admin.createTopics({
          // kafkajs fails to wait for leaders if the topic is not known yet.
          waitForLeaders: false,
          topics: missing.map(({ topic, partitions, replicationFactor, config }) => ({
            topic,
            numPartitions: partitions,
            replicationFactor: replicationFactor ?? USE_BROKER_DEFAULT,
            configEntries: Object.entries(config ?? {}).map(([name, value]) => ({ name, value })),
          })),
        });
        const names = missing.map(({ topic }) => topic);
        await leadersOf(admin, names);
        return names;
      }),

    describe: (topics) =>
      ask('describe the cluster', async () => {
        const { brokers } = await admin.describeCluster();
        const existing = new Set(await admin.listTopics());
        const asked = topics.filter((topic) => existing.has(topic));
        const found = asked.length === 0 ? [] : (await admin.fetchTopicMetadata({ topics: asked })).topics;
        return {
          brokers: brokers.map(({ nodeId, host, port }) => ({ id: nodeId, address: `${host}:${port}` })),
          topics: new Map(found.map(({ name, partitions }) => [name, partitions.length])),
        };
      }),

    offsets: (topic, groupId) =>
      ask('read offsets', async () => {
        const [log, group] = await Promise.all([
          admin.fetchTopicOffsets(topic),
          admin.fetchOffsets({ groupId, topics: [topic] }),
        ]);
        const committed = new Map(group[0]?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
        return log
          .map(({ partition, low, high }) => {
            const next = committed.get(partition) ?? -1;
            return { partition, low: Number(low), high: Number(high), committed: next < 0 ? undefined : next };
          })
          .sort((a, b) => a.partition - b.partition);
      }),

    endOf: (topic, partition) =>
      ask('read the end of a partition', async () => {
        const ends = await admin.fetchTopicOffsets(topic);
        return Number(ends.find((one) => one.partition === partition)?.high ?? 0);
      }),

    moveGroup: (topic, groupId, offsets) =>
      ask('set the offsets of a group', async () => {
        const partitions = [...offsets].map(([partition, offset]) => ({ partition, offset: String(offset) }));
        await admin.setOffsets({ groupId, topic, partitions });
      }),

    deleteTopics: (topics) =>
      ask('delete topics', async () => {
        await admin.deleteTopics({ topics: [...topics] });
      }),

    async close() {
      await admin.disconnect().catch(() => {});
      client.destroy();
    },
  };
}

/** Waits until every partition has a leader. Before that, a message may be rejected, or stored twice. */
async function leadersOf(admin: Admin, topics: string[]): Promise<void> {
  const deadline = Date.now() + LEADERS_WITHIN_MS;
  while (true) {
    try {
      const { topics: found } = await admin.fetchTopicMetadata({ topics });
      if (found.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0)))
        return;
      if (Date.now() > deadline) throw new Error('no leaders');
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await pause(50);
  }
}
