import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { randomName, useClickHouse, useKafka, usePostgres, useSchemaRegistry } from '#test/support/use-services.ts';
import { runCommand } from '../run-command.ts';

const [clickHouse, postgres, kafka, registry] = await Promise.all([
  useClickHouse({ migrated: false }),
  usePostgres({ migrated: false }),
  useKafka(),
  useSchemaRegistry(),
]);
const prefix = `${randomName('migrate')}.`;
const environment = {
  CLICKHOUSE_URL: clickHouse.url,
  CLICKHOUSE_USER: clickHouse.user,
  CLICKHOUSE_PASSWORD: clickHouse.password,
  CLICKHOUSE_DATABASE: clickHouse.database,
  DATABASE_URL: postgres.url,
  KAFKA_BROKERS: kafka.brokers.join(','),
  SCHEMA_REGISTRY_URL: registry.url,
  TRAPLINE_TOPIC_PREFIX: prefix,
};

interface Row {
  readonly check: string;
  readonly state: string;
  readonly found: string;
  readonly advice?: string;
}
async function examined() {
  const { code, stdout } = await runCommand(['doctor', '--output', 'json'], { environment });
  return { code, rows: new Map((JSON.parse(stdout) as Row[]).map((row) => [row.check, row])) };
}

test('doctor recommends migrate, migrate is idempotent, and doctor then succeeds', async () => {
  const before = await examined();
  expect(before.code).toBe(1);
  expect(before.rows.get('ClickHouse tables')).toMatchObject({
    state: 'wrong',
    advice: expect.stringMatching(/^run `.*trapline --data-dir .* migrate`$/),
  });
  expect(before.rows.get('PostgreSQL tables')).toMatchObject({
    state: 'wrong',
    advice: expect.stringMatching(/^run `.*trapline --data-dir .* migrate`$/),
  });
  expect(before.rows.get('Kafka topics')).toMatchObject({
    state: 'wrong',
    advice: expect.stringMatching(/trapline --data-dir .* migrate/),
  });

  const first = await runCommand(['migrate', '--partitions', '3'], { environment });
  // A migration that takes longer than two seconds logs its progress.
  expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(?:trapline: migrated \d+ % .*\n)*$/) });
  expect(first.stdout).toContain(`created ${prefix}events.v1, ${prefix}detections.v1, ${prefix}events.v1.dlq`);
  expect(first.stdout).toMatch(/schema registry: V1 is schema \d+/);
  const second = await runCommand(['migrate'], { environment });
  expect(second.stdout).toContain('ClickHouse: up to date\nPostgreSQL: up to date\nKafka: all topics are there\n');

  const after = await examined();
  expect([...after.rows.values()].filter(({ state }) => state === 'wrong')).toEqual([]);
  expect(after.code).toBe(0);
  for (const check of [
    'ClickHouse',
    'ClickHouse clock',
    'ClickHouse tables',
    'ClickHouse address',
    'PostgreSQL',
    'PostgreSQL encoding',
    'PostgreSQL clock',
    'PostgreSQL tables',
    'Kafka',
    'schema registry',
  ]) {
    expect(after.rows.get(check)).toMatchObject({ check, state: 'fine' });
  }
  expect(after.rows.get('Kafka topics')?.found).toContain(`${prefix}events.v1 (3)`);
  expect(after.rows.get('Kafka lag')?.found).toBe('0 records to read by trapline');
});

test('doctor advises what to check for servers that do not respond', async () => {
  const { code, stdout } = await runCommand(['doctor'], {
    environment: {
      CLICKHOUSE_URL: 'http://127.0.0.1:1',
      KAFKA_BROKERS: '127.0.0.1:1',
      SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1',
    },
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^wrong +ClickHouse +ClickHouse could not read the version: ECONNREFUSED\n +→ check CLICKHOUSE_URL/m,
  );
  expect(stdout).toMatch(/^wrong +Kafka /m);
  expect(stdout).toMatch(/^wrong +schema registry +does not respond/m);
});

test('migrate and doctor reject unsupported versions of stores in one sentence', async () => {
  const store = createClickHouse(clickHouse);
  await migrate(store);
  await store.command(
    'record a migration',
    `INSERT INTO ${store.table('migrations')} (number, name) VALUES (9999, 'newest-since-99-0-0')`,
  );
  await store.close();
  await migrateDatabase(postgres.database);
  await sql`INSERT INTO kysely_migration VALUES ('9999-newest-since-99-0-0', now()::text)`.execute(postgres.database);
  const advice = 'start that version, or restore a backup from before it';
  const newer = {
    'ClickHouse tables': `the ClickHouse database ${clickHouse.database} was migrated by a newer Trapline (incompatible migrations: 9999 newest-since-99-0-0): ${advice}`,
    'PostgreSQL tables': `the PostgreSQL database was migrated by a newer Trapline (incompatible migrations: 9999-newest-since-99-0-0): ${advice}`,
  };

  expect(await runCommand(['migrate'], { environment })).toEqual({
    code: 1,
    stdout: '',
    stderr: `trapline: ${newer['ClickHouse tables']}\n`,
  });
  const { code, rows } = await examined();
  expect(code).toBe(1);
  for (const [check, found] of Object.entries(newer))
    expect(rows.get(check)).toMatchObject({ state: 'wrong', found, advice: '' });
});
