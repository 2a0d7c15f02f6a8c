import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { markRedriven } from '#analytics/clickhouse/read-models/dead-letters.ts';
import type { Redrive } from '#api/http/ports.ts';
import { createRedrive } from '#ingest/dead-letters/redrive.ts';
import type { SubmitEvents } from '#ingest/http/submission.ts';
import { createTopicSubmission } from '#ingest/http/submit-events.ts';
import type { BrokerCheck } from '#ingest/kafka/broker-check.ts';
import { isTooLarge } from '#ingest/kafka/failure.ts';
import type { EventConsumer, EventProducer } from '#ingest/kafka/port.ts';
import type { LaneStats } from '#ingest/pipeline/pipeline-lane.ts';
import type { Config } from '../config.ts';
import { kafkaConnection } from './kafka-connection.ts';
import type { startKafkaRole } from './kafka-role.ts';
import { readingOptions } from './pipeline-parts.ts';
import { topicNames } from './topic-names.ts';

/** The ways in which events arrive, and their observable state. */
export interface Intake {
  readonly submit: SubmitEvents;
  readonly lanes: () => Promise<readonly LaneStats[]>;
  readonly consumer?: EventConsumer;
  /** Starts to consume. Absent if this process does not consume from Kafka. */
  readonly join?: () => Promise<void>;
  /** Absent without Kafka. */
  readonly brokers?: BrokerCheck;
}

type KafkaDeps = Parameters<typeof startKafkaRole>[1];

/**
 * Starts intake with Kafka. Events from HTTP are sent to the topic, and this process consumes the topic like any
 * `ingest`.
 */
export async function startKafkaIntake(
  config: Config,
  common: Omit<KafkaDeps, 'connection' | 'producer'>,
): Promise<Intake> {
  const { producer, connection, submit, brokers } = await startTopicIntake(config, common);
  const kafkaRole = await import('./kafka-role.ts');
  const { consumer, lanes, join } = await kafkaRole.startKafkaRole(config, { ...common, connection, producer });
  return { submit, consumer, join, brokers, lanes: lanes.stats };
}

/**
 * Starts intake that sends events from HTTP to the topic; other processes consume it. The Kafka client is large, so it
 * is loaded only with brokers.
 */
export async function startTopicIntake(
  config: Config,
  { lifecycle, log }: Pick<KafkaDeps, 'lifecycle' | 'log'>,
): Promise<{
  submit: SubmitEvents;
  producer: EventProducer;
  connection: KafkaDeps['connection'];
  brokers: BrokerCheck;
}> {
  if (!config.kafka) throw new TypeError('Kafka is not configured');
  const connection = await kafkaConnection(config.kafka);
  const [{ createEventProducer }, { createBrokerCheck }] = await Promise.all([
    import('#ingest/kafka/producer.ts'),
    import('#ingest/kafka/broker-check.ts'),
  ]);
  const producer = await lifecycle.start('Kafka producer', () => {
    const value = createEventProducer({ log }, { connection });
    return { value, stop: () => value.close() };
  });
  const topic = topicNames(config).events;
  const brokers = await lifecycle.start('Kafka check', () => {
    const value = createBrokerCheck({ connection, topic });
    return { value, stop: () => value.close() };
  });
  const submit = createTopicSubmission({
    producer,
    topic,
    isTooLarge,
    isUp: brokers.isUp,
    timeoutMs: config.pipeline.submitTimeoutMs,
    maxBytesInFlight: config.pipeline.queueBytes,
    ...readingOptions(config),
  });
  return { submit, producer, connection, brokers };
}

/** Returns a redrive that sends dead letters through the same intake. */
export function redriveThrough(submit: SubmitEvents, clickhouse: ClickHouse, config: Config): Redrive {
  return createRedrive({
    submit,
    markRedriven: (identity) => markRedriven(clickhouse, [{ identity, outcome: 'landed', triedMs: Date.now() }]),
    ...readingOptions(config),
  });
}
