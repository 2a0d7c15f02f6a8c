import path from 'node:path';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { connectClickHouse } from '#analytics/clickhouse/connect.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import type { KafkaLog } from '#ingest/kafka/log.ts';
import { createSchemaIds } from '#ingest/kafka/schema-registry.ts';
import type { Config } from './config.ts';
import { startClickHouseEngine } from './engines/clickhouse.ts';
import { startPostgresEngine } from './engines/postgres.ts';
import { claimDataDirectory } from './processes/instance.ts';
import { kafkaConnection } from './processes/kafka-connection.ts';
import { topicNames } from './processes/topic-names.ts';

export interface PrepareOptions {
  /** Partitions of the events and detections topics, if they are created. */
  readonly partitions: number;
  /** Default: the brokers' setting. */
  readonly replicationFactor: number | undefined;
  /** Called before a step that may take a while. */
  readonly progress: (line: string) => void;
  /** Called after each migration of a store. */
  readonly migrated?: (done: number, total: number) => void;
  /** Called after each store. */
  readonly done: (line: string) => Promise<void>;
}

/**
 * A dead letter contains the complete record and additional headers, so its topic needs a higher limit than the events
 * topic.
 */
const DEAD_LETTER_MAX_BYTES = String(2 * 2 ** 20);

/** Creates what is missing in every configured store. Idempotent. Rejects with the first failure. */
export async function prepareStores(config: Config, options: PrepareOptions): Promise<void> {
  const { done } = options;
  const ran = await withClickHouse(config, options.progress, (clickhouse) =>
    migrate(clickhouse, config.retentionDays, options.migrated),
  );
  await done(`ClickHouse: ${ran.length === 0 ? 'up to date' : `migrations ${ran.join(', ')} done`}`);
  // `ingest` with an external ClickHouse needs no PostgreSQL. A process that needs it prepares its embedded engine at
  // start.
  if (config.postgres.url !== undefined || config.clickhouse.url === undefined) {
    const migrated = await withDatabase(config, (database) => migrateDatabase(database, options.migrated));
    await done(`PostgreSQL: ${migrated.length === 0 ? 'up to date' : `migrations ${migrated.join(', ')} done`}`);
  }
  if (config.kafka !== undefined) {
    const made = await ensureTopics(config, config.kafka, options);
    await done(`Kafka: ${made.length === 0 ? 'all topics are there' : `created ${made.join(', ')}`}`);
  }
  if (config.registry !== undefined) {
    const ids = await createSchemaIds({ ...config.registry, topic: topicNames(config).events }).publish();
    await done(`schema registry: ${[...ids].map(([version, id]) => `${version} is schema ${id}`).join(', ')}`);
  }
}

/** Runs `work` with the configured ClickHouse, or with the embedded engine, which is started and stopped for this. */
async function withClickHouse<T>(
  config: Config,
  progress: (line: string) => void,
  work: (clickhouse: ClickHouse) => Promise<T>,
): Promise<T> {
  const { url, database } = config.clickhouse;
  if (url !== undefined) return closing(connectClickHouse(config.clickhouse), work);
  progress('CLICKHOUSE_URL is not set: preparing the embedded engine');
  return inDataDirectory(config, async () => {
    const engine = await startClickHouseEngine({
      dataDir: path.join(config.dataDir, 'clickhouse'),
      isolation: config.engineIsolation,
    });
    try {
      return await closing(createClickHouse({ ...engine, database }), work);
    } finally {
      await engine.stop();
    }
  });
}

/** Runs `work` with the configured PostgreSQL, or with the embedded engine, which is started and stopped for this. */
async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const using = async (url: string): Promise<T> => {
    const database = createDatabase({ url });
    try {
      return await work(database);
    } finally {
      await database.destroy();
    }
  };
  if (config.postgres.directUrl !== undefined) return using(config.postgres.directUrl);
  return inDataDirectory(config, async () => {
    const engine = await startPostgresEngine({
      dataDir: path.join(config.dataDir, 'postgres'),
      programs: config.postgres.programs,
    });
    try {
      return await using(engine.url);
    } finally {
      await engine.stop();
    }
  });
}

async function inDataDirectory<T>(config: Config, work: () => Promise<T>): Promise<T> {
  const instance = await claimDataDirectory(config.dataDir);
  try {
    return await work();
  } finally {
    await instance.release();
  }
}

async function closing<T>(clickhouse: ClickHouse, work: (clickhouse: ClickHouse) => Promise<T>): Promise<T> {
  try {
    return await work(clickhouse);
  } finally {
    await clickhouse.close();
  }
}

async function ensureTopics(
  config: Config,
  kafka: NonNullable<Config['kafka']>,
  options: PrepareOptions,
): Promise<string[]> {
  const { partitions, replicationFactor, progress } = options;
  const topics = topicNames(config);
  const admin = createKafkaAdmin({ log: warningsTo(progress) }, await kafkaConnection(kafka));
  try {
    return await admin.ensureTopics([
      { topic: topics.events, partitions, replicationFactor },
      { topic: topics.detections, partitions, replicationFactor },
      {
        topic: topics.deadLetters,
        partitions: 1,
        replicationFactor,
        config: { 'max.message.bytes': DEAD_LETTER_MAX_BYTES },
      },
    ]);
  } finally {
    await admin.close();
  }
}

function warningsTo(note: (line: string) => void): KafkaLog {
  const silent = () => {};
  const report = (_fields: object, message: string) => note(message);
  return { debug: silent, info: silent, warn: report, error: report };
}
