import { expect, test } from 'vitest';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { listEvents } from '#analytics/clickhouse/read-models/events.ts';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import { searchCondition } from '#analytics/clickhouse/search/search-condition.ts';
import { landRange, useDatabase } from '#test/analytics/clickhouse/fixture.ts';

const { clickhouse, store } = await useDatabase();
const lane = { topic: 'words', partition: 0 };
const events = clickhouse.table('events');

async function indexedBytes(): Promise<number> {
  const [row] = await clickhouse.rows<{ bytes: string }>(
    'measure the index',
    `SELECT sum(data_compressed_bytes) AS bytes FROM system.data_skipping_indices
     WHERE database = {database:String} AND table = 'events' AND name = 'raw_filter'`,
    { params: { database: clickhouse.database } },
  );
  return Number(row?.bytes);
}

async function granulesRead(q: string): Promise<string> {
  const { sql, params } = searchCondition('events', q);
  const rows = await clickhouse.rows<{ explain: string }>(
    'explain a search',
    `EXPLAIN indexes = 1 SELECT offset FROM ${events} WHERE ${sql}`,
    { params },
  );
  const lines = rows.map(({ explain }) => explain.trim());
  return lines.slice(lines.indexOf('Name: raw_filter')).find((line) => line.startsWith('Granules:')) ?? '';
}

test('blocks are stored without the word index, merges build it, and searches find the same with and without it', async () => {
  await landRange(store, lane, 0, 4_999, -1);
  const found = async (q: string) =>
    (await listEvents(clickhouse, { q }, { limit: 10 })).items.map((one) => one.offset);
  const searches = ['4321', 'show_signal_msg 1717', '"count\\":1777"', 'not kern', 'nothing', 'COUNT 1699 or 1698'];
  const before = await Promise.all(searches.map(found));
  expect(await indexedBytes()).toBe(0);

  await clickhouse.command('merge', `OPTIMIZE TABLE ${events} FINAL`);
  expect(await indexedBytes()).toBeGreaterThan(0);
  expect(await Promise.all(searches.map(found))).toEqual(before);
  expect(before).toEqual([[4321], [1717], [1777], [], [], [1699, 1698]]);
  // The first four of five blocks of 1,024 events share a filter. Only the last block, which contains the word, is
  // read.
  expect(await granulesRead('4321')).toBe('Granules: 1/5');
});

test('the text is read before all columns but names, and searches give the same with them', async () => {
  const asked: string[] = [];
  const settings: unknown[] = [];
  const watched: ClickHouse = {
    ...clickhouse,
    rows(operation, query, options) {
      asked.push(query);
      settings.push(options?.settings);
      return clickhouse.rows(operation, query, options);
    },
  };
  const found = async (filters: Filters) =>
    (await listEvents(watched, filters, { limit: 2 })).items.map((one) => one.offset);
  const from = { seconds: 0, nanos: 0 };
  expect(await found({ from, type: 'LinuxSuppressedCallback', q: '4321' })).toEqual([4321]);
  expect(asked[0]).toMatch(/PREWHERE type = \S+ AND .*positionCaseInsensitive\(raw, .* WHERE timestamp >= /);
  expect(settings[0]).toMatchObject({ local_filesystem_read_method: 'pread' });
  expect(await found({ type: 'LinuxKernelTrap', q: '4321' })).toEqual([]);
  expect(await found({ q: 'topic:null' })).toEqual([]);
  expect(await found({ q: 'not topic:null' })).toEqual([4999, 4998]);
  expect(await found({ q: 'count:17 or pid:4' })).toEqual([17]);
});

test('searches for more words than the server accepts', async () => {
  const text = Array.from({ length: 150 }, (_, i) => `w${i}`).join(' ');
  expect((await listEvents(clickhouse, { q: `"${text}"` }, { limit: 10 })).items).toEqual([]);
});
