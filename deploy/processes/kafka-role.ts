import { setTimeout as delay } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { LandingStore } from '#analytics/clickhouse/port.ts';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import type { KafkaConnection } from '#ingest/kafka/client.ts';
import { createEventConsumer } from '#ingest/kafka/consumer.ts';
import type { EventConsumer, EventProducer, TopicPartition } from '#ingest/kafka/port.ts';
import type { LaneHost } from '#ingest/pipeline/kafka-lanes.ts';
import { createPipelineMetrics } from '#ingest/pipeline/metrics.ts';
import type { PipelineLog } from '#ingest/pipeline/pipeline-lane.ts';
import type { Tracing } from '#schemas/tracing/tracing.ts';
import type { Config } from '../config.ts';
import { startLaneHost } from './lane-host.ts';
import type { Lifecycle } from './lifecycle.ts';
import { observeTrackers } from './observe-trackers.ts';
import { observeWaiting } from './observe-waiting.ts';
import type { RuleSource } from './rule-settings.ts';
import { topicNames } from './topic-names.ts';

/** Batches that have not landed within this time are left to the next owner of the partition. */
const DRAIN_MS = 5_000;

export interface KafkaRole {
  readonly consumer: EventConsumer;
  readonly lanes: LaneHost;
  /** Joins the consumer group. Retries while the brokers are unavailable; rejects with permanent errors. */
  join(): Promise<void>;
}

/**
 * Creates the path from Kafka to ClickHouse: the consumer of the events topic, a lane per partition, and the producer
 * for other topics. Consumption starts with `join`, because joining may take long, and the process must report its
 * state before.
 */
export async function startKafkaRole(
  config: Config,
  deps: {
    readonly lifecycle: Lifecycle;
    readonly connection: KafkaConnection;
    /** Persistent name of this process in the consumer group, if any. */
    readonly instanceId: string | undefined;
    readonly producer: EventProducer;
    readonly store: LandingStore;
    readonly rules: RuleSource;
    readonly registry: Registry;
    readonly tracing: Tracing;
    readonly log: PipelineLog & { debug(fields: object, message: string): void };
    readonly failed: (error: unknown) => void;
  },
): Promise<KafkaRole> {
  const { lifecycle, connection, instanceId, producer, store, rules, registry, tracing, log, failed } = deps;
  const endOf = async ({ topic, partition }: TopicPartition): Promise<number> => {
    const admin = createKafkaAdmin({ log }, connection);
    try {
      return await admin.endOf(topic, partition);
    } finally {
      await admin.close();
    }
  };
  const metrics = createPipelineMetrics(registry);
  const lanes = await lifecycle.start('lanes', () =>
    startLaneHost(config, { producer, store, rules, metrics, log, tracing, endOf, failed }),
  );
  const consumer = createEventConsumer(
    { handlers: lanes, log },
    {
      connection,
      groupId: config.kafka?.groupId ?? 'trapline',
      topics: [topicNames(config).events],
      sessionTimeoutMs: config.kafka?.sessionTimeoutMs,
      instanceId,
      // Lanes copy the records into packed chunks.
      copiesRecords: true,
    },
  );
  lanes.attach(consumer);
  observeConsumer(registry, consumer);
  observeTrackers(registry, lanes.stats);
  observeWaiting(registry, lanes);
  const join = () =>
    lifecycle.start('Kafka consumer', async () => {
      const cancel = () => void consumer.stop();
      lifecycle.signal.addEventListener('abort', cancel);
      try {
        await consumer.start();
      } finally {
        lifecycle.signal.removeEventListener('abort', cancel);
      }
      return { value: undefined, stop: () => stopInOrder(consumer, lanes) };
    });
  return { consumer, lanes, join };
}

/** Lands and commits accepted records while this process still owns the partitions, and then leaves the group. */
async function stopInOrder(consumer: EventConsumer, lanes: LaneHost): Promise<void> {
  for (const partition of lanes.partitions()) consumer.pause(partition);
  await Promise.race([lanes.close(), delay(DRAIN_MS, undefined, { ref: false })]);
  lanes.abandon();
  await consumer.stop();
}

function observeConsumer(registry: Registry, consumer: EventConsumer): void {
  const registers = [registry];
  new Gauge({
    name: 'trapline_kafka_assigned_partitions',
    help: 'Partitions of the events topic this process owns.',
    registers,
    collect() {
      this.set(consumer.stats().assigned);
    },
  });
  for (const [name, help, read] of [
    [
      'trapline_kafka_liveness_restarts_total',
      'Times a consumer that had stopped fetching was restarted.',
      () => consumer.stats().livenessRestarts,
    ],
    ['trapline_kafka_rebalances_total', 'Rebalances of the consumer group.', () => consumer.stats().rebalances],
  ] as const) {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}
