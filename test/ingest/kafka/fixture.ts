import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import type { KafkaConnection } from '#ingest/kafka/client.ts';
import { createEventConsumer, type EventConsumerConfig } from '#ingest/kafka/consumer.ts';
import type { KafkaLog } from '#ingest/kafka/log.ts';
import type { ConsumerHandlers, EventConsumer, KafkaRecord, TopicPartition } from '#ingest/kafka/port.ts';
import { createEventProducer, type EventProducerConfig } from '#ingest/kafka/producer.ts';
import { randomName } from '#test/support/use-services.ts';
import { silent } from './silent-log.ts';

export { silent } from './silent-log.ts';

/** Creates a topic. It is never deleted, because the broker ends with the test run. */
export async function makeTopic(
  connection: KafkaConnection,
  { partitions = 1, config = {} }: { partitions?: number; config?: Record<string, string> } = {},
): Promise<string> {
  const admin = createKafkaAdmin({ log: silent }, connection);
  const topic = randomName('topic');
  try {
    await admin.ensureTopics([{ topic, partitions, config }]);
  } finally {
    await admin.close();
  }
  return topic;
}

/** Events of one consumer in order. */
export interface Recorded {
  readonly consumer: EventConsumer;
  readonly records: KafkaRecord[];
  readonly assignments: TopicPartition[][];
  readonly failures: unknown[];
  /** Values as strings, sorted. */
  values(): string[];
}

/** A consumer that collects its records and stops at the end of the test. `overrides` replace single handlers. */
export function recordingConsumer(
  config: EventConsumerConfig,
  overrides: (recorded: Recorded) => Partial<ConsumerHandlers> = () => ({}),
  log: KafkaLog = silent,
): Recorded {
  const records: KafkaRecord[] = [];
  const assignments: TopicPartition[][] = [];
  const failures: unknown[] = [];
  const handlers: { -readonly [K in keyof ConsumerHandlers]: ConsumerHandlers[K] } = {
    async assigned(partitions) {
      assignments.push([...partitions]);
    },
    async batch(_partition, batch) {
      records.push(...batch);
    },
    failed: (error) => void failures.push(error),
  };
  const consumer = createEventConsumer({ handlers, log }, config);
  const recorded: Recorded = {
    consumer,
    records,
    assignments,
    failures,
    values: () => records.map(({ value }) => value?.toString() ?? '(null)'),
  };
  Object.assign(handlers, overrides(recorded));
  onTestFinished(() => consumer.stop());
  return recorded;
}

/** A producer that is closed at the end of the test. */
export function testProducer(connection: KafkaConnection, config: Omit<EventProducerConfig, 'connection'> = {}) {
  const producer = createEventProducer({ log: silent }, { connection, ...config });
  onTestFinished(() => producer.close());
  return producer;
}

export function numbered(from: number, count: number): { key: string; value: string }[] {
  return Array.from({ length: count }, (_, i) => ({ key: `host-${i % 7}`, value: `${from + i}` }));
}

const run = promisify(execFile);

/** Sends lines with kcat, an independent client. Format: `key|value`. */
export function kcatProduce(
  brokers: readonly string[],
  topic: string,
  lines: readonly string[],
  args: readonly string[] = [],
) {
  const child = spawn('kcat', ['-P', '-b', brokers.join(','), '-t', topic, '-K', '|', ...args], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  return new Promise<void>((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`kcat ended with ${code}: ${errors}`))));
  });
}

/** Reads the whole topic with kcat, as `key|value` lines. */
export async function kcatConsume(brokers: readonly string[], topic: string): Promise<string[]> {
  const args = ['-C', '-q', '-e', '-b', brokers.join(','), '-t', topic, '-K', '|', '-o', 'beginning'];
  const { stdout } = await run('kcat', args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\n').filter((line) => line !== '');
}
