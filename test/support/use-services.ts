import { inject } from 'vitest';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { atEnd } from './at-end.ts';
import { randomName } from './random-name.ts';
import type { ClickHouseService } from './services/clickhouse.ts';
import { copyTemplate, statement } from './services/clickhouse-template.ts';
import type { KafkaService } from './services/kafka-broker.ts';
import { administer, databaseUrl } from './services/postgres-template.ts';
import type { RedisService } from './services/redis.ts';
import type { SchemaRegistryService } from './services/schema-registry.ts';
import { askForService } from './services/services-server.ts';

export { randomName } from './random-name.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL at which the run's main process serves requests for services. */
    servicesUrl: string;
  }
}

/**
 * Returns the run's broker. `topic` and `group` return new names; the test creates the topics. Call it in a hook or
 * test, or with `await` at the top of a file.
 */
export async function useKafka(): Promise<KafkaService & { topic(): string; group(): string }> {
  const kafka = await askForService(inject('servicesUrl'), 'kafka');
  return { ...kafka, topic: () => randomName('topic'), group: () => randomName('group') };
}

/** Returns the run's schema registry. Subjects are named after topics, so random topic names separate tests. */
export function useSchemaRegistry(): Promise<SchemaRegistryService> {
  return askForService(inject('servicesUrl'), 'schemaRegistry');
}

/** Returns the run's ClickHouse without a database, for tests whose processes create databases. */
export function useSharedClickHouse(): Promise<ClickHouseService> {
  return askForService(inject('servicesUrl'), 'clickHouse');
}

/**
 * Creates a database in the run's ClickHouse, which is dropped after the tests of the file. It has the tables of a
 * migrated database; with `migrated: false` it is empty.
 */
export async function useClickHouse(
  options: { migrated?: boolean } = {},
): Promise<ClickHouseService & { database: string }> {
  const clickHouse = await askForService(inject('servicesUrl'), 'clickHouse');
  const database = randomName('test');
  atEnd(() => statement(clickHouse, `DROP DATABASE IF EXISTS ${database} SYNC`));
  if (options.migrated ?? true)
    await copyTemplate(clickHouse, await askForService(inject('servicesUrl'), 'clickHouseTemplate'), database);
  else await statement(clickHouse, `CREATE DATABASE ${database}`);
  return { ...clickHouse, database };
}

/** Database timeouts for tests: long enough that a busy machine does not reach them. */
export const PATIENT = { statementTimeoutMs: 120_000, connectionTimeoutMs: 120_000 } as const;

/** Creates a database in the run's PostgreSQL, migrated by default. It is dropped after the tests of the file. */
export async function usePostgres(options: { migrated?: boolean } = {}): Promise<{ url: string; database: Database }> {
  const template = await askForService(inject('servicesUrl'), 'postgresTemplate');
  const name = randomName('test');
  const source = (options.migrated ?? true) ? `TEMPLATE ${template.name}` : '';
  await administer(template.url, `CREATE DATABASE ${name} OWNER ${template.name} STRATEGY file_copy ${source}`);
  const url = databaseUrl(template, name);
  const database = createDatabase({ url, ...PATIENT });
  atEnd(async () => {
    await database.destroy();
    await administer(template.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  return { url, database };
}

/** Returns the run's Redis, and a key prefix that separates this test from others. */
export async function useRedis(): Promise<RedisService & { prefix: string }> {
  const redis = await askForService(inject('servicesUrl'), 'redis');
  return { ...redis, prefix: `${randomName('test')}:` };
}
