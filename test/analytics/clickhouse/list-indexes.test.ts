import { expect, test } from 'vitest';
import { eventLists } from '#analytics/clickhouse/migrations/0008-event-lists.ts';
import { useDatabase } from './fixture.ts';

const { clickhouse } = await useDatabase();
const events = clickhouse.table('events');
const STRETCHES = 16;

/** Of so many stretches of 8,192 events each third one has a probe of `ip`, none has one of RDI. */
const FILL = `INSERT INTO ${events} (landing_day, topic, partition, offset, received, timestamp, type, register, raw)
  WITH number % 24576 = 5 AS is_probe
  SELECT today(), 'lists', 0, number, now64(3), now64(9) - number, if(is_probe, 'RegisterProbe', 'LinuxKernelTrap'), if(is_probe, 'ip', NULL), '{}'
  FROM numbers(${STRETCHES * 8192})`;

async function granulesOf(condition: string): Promise<number> {
  const rows = await clickhouse.rows<{ explain: string }>(
    'explain a list',
    `EXPLAIN indexes = 1 SELECT offset FROM ${events} WHERE ${condition}`,
  );
  const [, granules] = rows.map(({ explain }) => /^\s*Granules: (\d+)\//.exec(explain)).findLast(Boolean) ?? [];
  return Number(granules);
}

async function indexes(): Promise<string[]> {
  const rows = await clickhouse.rows<{ name: string }>(
    'list indexes',
    `SELECT name FROM system.data_skipping_indices WHERE database = {database:String} AND table = 'events' ORDER BY name`,
    { params: { database: clickhouse.database } },
  );
  return rows.map(({ name }) => name);
}

test('lists read the stretches that can hold what is looked for, and none for what there is not', async () => {
  await clickhouse.command('fill', FILL, { settings: { max_block_size: '1000000', max_insert_threads: '1' } });
  await clickhouse.command('merge', `OPTIMIZE TABLE ${events} FINAL`);
  expect(await granulesOf("register = 'RDI'")).toBe(0);
  expect(await granulesOf("type = 'ConfigMismatch'")).toBe(0);
  expect(await granulesOf("register = 'ip'")).toBe(6 * 8);
  expect(await granulesOf("type = 'RegisterProbe'")).toBe(6 * 8);
  expect(await granulesOf("type = 'LinuxKernelTrap'")).toBe(STRETCHES * 8);
  expect(await granulesOf('timestamp >= now64(9) - 4000')).toBe(8);
});

test('a table of before gets the same indexes, and keeps them when it is done again', async () => {
  const wanted = await indexes();
  expect(wanted).toEqual(
    expect.arrayContaining(['register_filter', 'timestamp_stretch', 'type_filter', 'word_filter']),
  );
  const before = [
    ...['register_filter', 'timestamp_stretch', 'type_filter'].map((index) => `DROP INDEX ${index}`),
    'ADD INDEX timestamp_range timestamp TYPE minmax GRANULARITY 1',
    'ADD INDEX type_set type TYPE set(8) GRANULARITY 8',
    'ADD INDEX register_values register TYPE set(16) GRANULARITY 8',
  ];
  await clickhouse.command('go back', `ALTER TABLE ${events} ${before.join(', ')}`);
  expect(await indexes()).not.toEqual(wanted);
  const context = { clickhouse, retentionDays: 90 };
  await Promise.all([eventLists.run(context), eventLists.run(context)]);
  await eventLists.run(context);
  expect(await indexes()).toEqual(wanted);
});
