import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
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

test('ClickHouse has an empty database for this test', async () => {
  const { url, user, password, database } = await useClickHouse();
  const response = await fetch(`${url}/?database=${database}`, {
    method: 'POST',
    body: 'SELECT currentDatabase(), (SELECT count() FROM system.tables WHERE database = currentDatabase())',
    headers: { 'x-clickhouse-user': user, 'x-clickhouse-key': password },
  });
  expect(await response.text()).toBe(`${database}\t0\n`);
});
