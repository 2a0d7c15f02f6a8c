import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import { TOPICS } from '#schemas/topics.ts';
import { QUIET_LOG } from './quiet-log.ts';
import { randomName } from './random-name.ts';
import type { ClickHouseService } from './services/clickhouse.ts';
import type { KafkaService } from './services/kafka-broker.ts';

/**
 * Creates new topics and returns the Kafka and ClickHouse settings of a process in a cluster, with these topics and a
 * new group.
 */
export async function clusterSettings(
  { brokers }: Pick<KafkaService, 'brokers'>,
  { url, user, password, database }: ClickHouseService & { readonly database: string },
) {
  const prefix = `${randomName('cluster')}.`;
  const admin = createKafkaAdmin({ log: QUIET_LOG }, { brokers });
  await admin.ensureTopics(Object.values(TOPICS).map((topic) => ({ topic: prefix + topic, partitions: 2 })));
  await admin.close();
  return {
    KAFKA_BROKERS: brokers.join(','),
    TRAPLINE_TOPIC_PREFIX: prefix,
    TRAPLINE_GROUP_ID: randomName('group'),
    CLICKHOUSE_URL: url,
    CLICKHOUSE_USER: user,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DATABASE: database,
  };
}
