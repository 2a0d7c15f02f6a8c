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
    /** Where the main process of the run answers questions for services. */
    servicesUrl: string;
  }
}

/** The run's broker. `topic` and `group` give new names; topics are made by the test. Call it in a hook or test, at the top of a file with `await`. */
export async function useKafka(): Promise<KafkaService & { topic(): string; group(): string }> {
  const kafka = await askForService(inject('servicesUrl'), 'kafka');
  return { ...kafka, topic: () => randomName('topic'), group: () => randomName('group') };
}

/** The run's schema registry. Subjects follow topics, so random topics keep tests apart. */
export function useSchemaRegistry(): Promise<SchemaRegistryService> {
  return askForService(inject('servicesUrl'), 'schemaRegistry');
}

/** The run's ClickHouse as it is, for tests whose processes make databases of their own. */
export function useSharedClickHouse(): Promise<ClickHouseService> {
  return askForService(inject('servicesUrl'), 'clickHouse');
}

/**
 * The run's ClickHouse, and a database in it that goes when the tests of the file are through. It has the tables of a migrated one; with
 * `migrated: false` it is empty.
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

/** Limits of a database for tests: on a busy machine only what hangs is ended. */
export const PATIENT = { statementTimeoutMs: 120_000, connectionTimeoutMs: 120_000 } as const;

/** A database of its own in the run's PostgreSQL, migrated by default. It is dropped after the tests of the file. */
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

/** The run's Redis, and a prefix that keeps the keys of this test apart from others'. */
export async function useRedis(): Promise<RedisService & { prefix: string }> {
  const redis = await askForService(inject('servicesUrl'), 'redis');
  return { ...redis, prefix: `${randomName('test')}:` };
}
