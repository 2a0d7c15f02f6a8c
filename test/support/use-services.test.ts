import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { MIGRATIONS, migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { useClickHouse, useKafka, useSchemaRegistry } from './use-services.ts';

const run = promisify(execFile);

test('Kafka answers another client on the plain listener', async () => {
  const kafka = await useKafka();
  const { stdout } = await run('kcat', ['-b', kafka.brokers.join(','), '-L']);
  expect(stdout).toContain('1 brokers');
  expect(kafka.topic()).not.toBe(kafka.topic());
});

test('the schema registry answers', async () => {
  const { url } = await useSchemaRegistry();
  const response = await fetch(`${url}/subjects`);
  expect(await response.json()).toBeInstanceOf(Array);
});

test.for([
  ['an empty database', false, MIGRATIONS.length],
  ['a database that is migrated already', true, 0],
] as const)('ClickHouse has %s for this test', async ([, migrated, pending]) => {
  const clickhouse = createClickHouse(await useClickHouse({ migrated }));
  try {
    expect(await migrate(clickhouse)).toHaveLength(pending);
  } finally {
    await clickhouse.close();
  }
});
