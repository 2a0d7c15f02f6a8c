import { setTimeout as delay } from 'node:timers/promises';
import { createKafkaAdmin, type KafkaAdmin } from '#ingest/kafka/admin.ts';
import { requireCorrectedKafkaClient } from '#ingest/kafka/corrected-client.ts';
import { KafkaFailure } from '#ingest/kafka/failure.ts';
import { createSchemaIds } from '#ingest/kafka/schema-registry.ts';
import type { Config } from '../config.ts';
import { kafkaConnection } from '../processes/kafka-connection.ts';
import { topicNames } from '../processes/topic-names.ts';
import { type Check, fine, look, wrong } from './check.ts';

const UNREACHABLE = 'check KAFKA_BROKERS, KAFKA_SASL_MECHANISM, KAFKA_USERNAME, KAFKA_PASSWORD and KAFKA_TLS_*';
const silent = () => {};

/** Checks the brokers, the topics, the lag of the consumer group, and the schema registry, if configured. */
export function kafkaChecks(config: Config): Check[] {
  const { kafka, registry } = config;
  const topics = topicNames(config);
  const checks: Check[] = [];
  if (kafka !== undefined) {
    const ask = async <T>(question: (admin: KafkaAdmin) => Promise<T>): Promise<T> => {
      const admin = createKafkaAdmin(
        { log: { debug: silent, info: silent, warn: silent, error: silent } },
        await kafkaConnection(kafka),
      );
      try {
        return await question(admin);
      } finally {
        await admin.close();
      }
    };
    checks.push(
      {
        name: 'Kafka client',
        advice:
          'in a checkout run `node bin/patches/apply.mjs`, or remove node_modules and run `npm ci`; replace an image or a package',
        run: () => {
          requireCorrectedKafkaClient();
          return fine('corrected');
        },
      },
      { name: 'Kafka', advice: UNREACHABLE, run: () => ask(checkBrokers) },
      {
        name: 'Kafka topics',
        advice: UNREACHABLE,
        run: () => ask((admin) => checkTopics(admin, Object.values(topics))),
      },
      {
        name: 'Kafka lag',
        advice: UNREACHABLE,
        run: () => ask((admin) => checkLag(admin, topics.events, kafka.groupId)),
      },
    );
  }
  if (registry !== undefined) {
    const advice =
      'check SCHEMA_REGISTRY_URL (with its path, such as /apis/ccompat/v7), SCHEMA_REGISTRY_USER and SCHEMA_REGISTRY_PASSWORD';
    const ids = createSchemaIds({ ...registry, topic: topics.events });
    checks.push({
      name: 'schema registry',
      advice,
      // No registry assigns this id. The result `unknown` means that the registry responded.
      run: async () =>
        (await ids.resolve(2 ** 31 - 1)) === 'unavailable' ? wrong('does not respond', advice) : fine('responds'),
    });
  }
  return checks;
}

async function checkBrokers(admin: KafkaAdmin) {
  const { brokers } = await admin.describe([]);
  return fine(brokers.map(({ address }) => address).join(', '));
}

async function checkTopics(admin: KafkaAdmin, wanted: readonly string[]) {
  const { topics } = await admin.describe(wanted);
  const missing = wanted.filter((topic) => !topics.has(topic));
  if (missing.length > 0)
    return wrong(`${missing.join(', ')} missing`, 'run `trapline migrate`, or make them with the partitions you want');
  return fine([...topics].map(([topic, partitions]) => `${topic} (${partitions})`).join(', '));
}

async function checkLag(admin: KafkaAdmin, topic: string, groupId: string) {
  const { topics } = await admin.describe([topic]);
  if (!topics.has(topic)) return look('unknown', 'the topic is missing: run `trapline migrate`');
  const partitions = await offsetsOnceCoordinated(admin, topic, groupId);
  const behind = partitions.reduce((sum, { low, high, committed = low }) => sum + high - Math.max(committed, low), 0);
  const lost = partitions.filter(({ low, committed }) => committed !== undefined && committed < low);
  if (lost.length > 0) {
    return wrong(
      `${lost.length} partitions were cut before they were read`,
      'events are gone: lengthen the retention of the topic, and run more ingest processes',
    );
  }
  return fine(`${behind} records to read by ${groupId}`);
}

/** Retries while there is no coordinator or it is loading: a broker has just started, or the group was never used. */
async function offsetsOnceCoordinated(admin: KafkaAdmin, topic: string, groupId: string, tries = 15) {
  for (;;) {
    try {
      return await admin.offsets(topic, groupId);
    } catch (error) {
      tries -= 1;
      if (!(error instanceof KafkaFailure) || !/COORDINATOR|GROUP_LOAD_IN_PROGRESS/.test(error.code) || tries === 0)
        throw error;
      await delay(300);
    }
  }
}
