import { expect, test } from 'vitest';
import { eventsTable } from '#analytics/clickhouse/tables/events.ts';
import { useDatabase } from './fixture.ts';

const { clickhouse } = await useDatabase();
const events = clickhouse.table('events');
const STRETCHES = 16;

/** Blocks of 8,192 events: every third has a probe of `ip`, none has a probe of RDI. */
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

test('every filter that inserts leave to merges exists, because the server ignores unknown names', async () => {
  const rows = await clickhouse.rows<{ name: string; type: string }>(
    'list indexes',
    `SELECT name, type FROM system.data_skipping_indices WHERE database = {database:String} AND table = 'events'`,
    { params: { database: clickhouse.database } },
  );
  const filters = rows.filter(({ type }) => type === 'bloom_filter').map(({ name }) => name);
  // The ingest id of a repeated record is found in data that is not merged yet.
  expect([...(eventsTable.notAtLanding ?? []), 'ingest_id_filter'].toSorted()).toEqual(filters.toSorted());
});

test('lists read only the granules that can contain the value, and none for a missing value', async () => {
  await clickhouse.command('fill', FILL, { settings: { max_block_size: '1000000', max_insert_threads: '1' } });
  await clickhouse.command('merge', `OPTIMIZE TABLE ${events} FINAL`);
  expect(await granulesOf("register = 'RDI'")).toBe(0);
  expect(await granulesOf("type = 'ConfigMismatch'")).toBe(0);
  expect(await granulesOf("register = 'ip'")).toBe(6 * 8);
  expect(await granulesOf("type = 'RegisterProbe'")).toBe(6 * 8);
  expect(await granulesOf("type = 'LinuxKernelTrap'")).toBe(STRETCHES * 8);
  expect(await granulesOf('timestamp >= now64(9) - 4000')).toBe(8);
});

async function partsOf(condition: string): Promise<string[]> {
  const rows = await clickhouse.rows<{ explain: string }>(
    'explain a stretch of time',
    `EXPLAIN indexes = 1 SELECT offset FROM ${events} WHERE ${condition}`,
  );
  const lines = rows.map(({ explain }) => explain.trim());
  return (
    lines
      .slice(lines.indexOf('Statistics'))
      .find((line) => line.startsWith('Parts: '))
      ?.slice('Parts: '.length)
      .split('/') ?? []
  );
}

test('parts outside a time range are skipped, to the nanosecond', async () => {
  await clickhouse.command('empty', `TRUNCATE TABLE ${events}`);
  const AT = 1_795_275_994_823_615_562n;
  for (const day of [1, 2])
    await clickhouse.command(
      'fill a part',
      `INSERT INTO ${events} (landing_day, topic, partition, offset, received, timestamp, type, raw)
       SELECT toDate({day:UInt16}), 'times', 0, {day:UInt16}, now64(3), fromUnixTimestamp64Nano({at:Int64} + {day:UInt16}, 'UTC'), 'LinuxKernelTrap', '{}'`,
      { params: { day, at: String(AT) } },
    );
  // Merges build the index of times. Rows that are not merged yet are scanned.
  const second = `fromUnixTimestamp64Nano(${AT + 2n}, 'UTC')`;
  expect(await partsOf(`timestamp >= ${second}`)).toEqual([]);
  await clickhouse.command('merge', `OPTIMIZE TABLE ${events} FINAL`);
  expect(await partsOf(`timestamp >= ${second}`)).toEqual(['1', '2']);
  expect(await partsOf(`timestamp < ${second}`)).toEqual(['1', '2']);
  expect(await partsOf(`timestamp > ${second}`)).toEqual(['0', '2']);
  for (const [condition, offsets] of [
    [`timestamp >= ${second}`, ['2']],
    [`timestamp < ${second}`, ['1']],
  ] as const) {
    const rows = await clickhouse.rows<{ offset: string }>('read', `SELECT offset FROM ${events} WHERE ${condition}`);
    expect(rows.map(({ offset }) => offset)).toEqual(offsets);
  }
});
