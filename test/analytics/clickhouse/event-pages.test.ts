import { expect, test } from 'vitest';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { eventPages } from '#analytics/clickhouse/migrations/0007-event-pages.ts';
import { listEvents, streamEventLines } from '#analytics/clickhouse/read-models/events.ts';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import { eventsTable, RAW_WORDS } from '#analytics/clickhouse/tables/events.ts';
import type { EventType } from '#schemas/events/v1.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { accepted, callback, trap, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const events = clickhouse.table(eventsTable.name);
const NOW = Math.floor(Date.now() / 1000);

const PROBE: EventType = {
  type: 'RegisterProbe',
  justification: { EventCount: 18446744073709551615n },
  message: 'a probe, told\nin two lines',
  procname: 'nginx',
  register: 'ip',
};
const MISMATCH: EventType = { type: 'ConfigMismatch', key: 'kernel.printk', expected_value: '1', observed_value: '0' };
const KINDS: readonly EventType[] = [trap('nginx', 7, 4096), PROBE, callback(3), MISMATCH];
/** With what the sender put around the JSON. */
const textOf = (event: EventType): string => ` ${stringifyExact(event)} `;

let landed = -1;
async function landAll(): Promise<void> {
  const block = store.openEvents({ topic: 'pages', partition: 0 }, Date.now());
  for (const kind of KINDS) {
    landed += 1;
    block.append({
      offset: landed,
      accepted: accepted(kind, 'edge-1', NOW - 100 + landed),
      raw: Buffer.from(textOf(kind)),
      ingestId: '',
    });
  }
  await store.landEvents(block, landed - KINDS.length);
}

/** The texts that a list gives, newest first, and what was asked of the store for them. */
async function listed(filters: Filters) {
  const asked: string[] = [];
  const watched: ClickHouse = {
    ...clickhouse,
    rows(operation, query, options) {
      asked.push(query);
      return clickhouse.rows(operation, query, options);
    },
  };
  const { items } = await listEvents(watched, filters, { limit: 10 });
  return { texts: items.map(({ raw }) => raw), asked: asked.join('\n') };
}

async function exported(filters: Filters): Promise<unknown[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of streamEventLines(clickhouse, filters)) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
  return lines.map((line) => line.slice(line.indexOf('"event":') + '"event":'.length, -1));
}

async function texts(): Promise<[type: string, text: string][]> {
  const rows = await clickhouse.rows<{ type: string; text: string }>(
    'read texts',
    `SELECT type, detector_raw AS text FROM ${events} ORDER BY offset`,
  );
  return rows.map(({ type, text }) => [type, text]);
}

async function indexedBytes(): Promise<number> {
  const [row] = await clickhouse.rows<{ bytes: string }>(
    'measure the index',
    `SELECT data_compressed_bytes AS bytes FROM system.data_skipping_indices
     WHERE database = {database:String} AND table = 'events' AND name = 'raw_filter'`,
    { params: { database: clickhouse.database } },
  );
  return Number(row?.bytes);
}

async function definition(): Promise<string | undefined> {
  const [row] = await clickhouse.rows<{ text: string }>(
    'read how a table is made',
    `SELECT create_table_query AS text FROM system.tables WHERE database = {database:String} AND name = 'events'`,
    { params: { database: clickhouse.database } },
  );
  return row?.text;
}

test('the text of what detectors say stands once more in a column that is empty elsewhere', async () => {
  await landAll();
  expect(await texts()).toEqual([
    ['LinuxKernelTrap', ''],
    ['RegisterProbe', textOf(PROBE)],
    ['LinuxSuppressedCallback', ''],
    ['ConfigMismatch', textOf(MISMATCH)],
  ]);
});

test('lists and exports of what detectors say take it from there, byte for byte, and all others from raw', async () => {
  for (const [filters, kind] of [
    [{ type: 'RegisterProbe' }, PROBE],
    [{ register: 'ip' }, PROBE],
    [{ type: 'ConfigMismatch', hostname: 'edge-1' }, MISMATCH],
  ] as const) {
    const { texts, asked } = await listed(filters);
    expect(texts).toEqual([textOf(kind)]);
    expect(asked).not.toMatch(/\braw\b/);
    expect(await exported(filters)).toEqual([textOf(kind).replaceAll('\n', ' ')]);
  }
  const { texts, asked } = await listed({ type: 'LinuxKernelTrap' });
  expect(texts).toEqual([textOf(KINDS[0] as EventType)]);
  expect(asked).not.toContain('detector_raw');
  expect((await listed({})).texts).toEqual(KINDS.map(textOf).reverse());
  expect(await exported({ hostname: 'edge-1' })).toHaveLength(KINDS.length);
});

test('a search within what detectors say still looks into raw, and finds', async () => {
  expect((await listed({ type: 'ConfigMismatch', q: 'printk' })).texts).toEqual([textOf(MISMATCH)]);
  expect((await listed({ type: 'ConfigMismatch', q: 'nginx' })).texts).toEqual([]);
});

test('a table of before gets the column, filled, the smaller blocks and the smaller index of words, also when the step is done twice', async () => {
  const wanted = await definition();
  for (const step of [
    '(DROP COLUMN detector_raw)',
    '(MODIFY COLUMN offset RESET SETTING min_compress_block_size)',
    '(MODIFY COLUMN received RESET SETTING min_compress_block_size)',
    '(DROP INDEX raw_filter)',
    `(ADD INDEX word_filter ${RAW_WORDS} TYPE bloom_filter(0.005) GRANULARITY 2)`,
  ])
    await clickhouse.command('go back', `ALTER TABLE ${events} ${step}`);
  expect(await definition()).not.toContain('detector_raw');
  expect(await definition()).not.toContain('min_compress_block_size');
  await landAll();
  const context = { clickhouse, retentionDays: 90 };
  await Promise.all([eventPages.run(context), eventPages.run(context)]);
  await eventPages.run(context);
  expect(await definition()).toBe(wanted);
  await landAll();
  const [, probe, , mismatch] = await texts();
  expect(probe).toEqual(['RegisterProbe', textOf(PROBE)]);
  expect(mismatch).toEqual(['ConfigMismatch', textOf(MISMATCH)]);
  expect((await listed({ type: 'ConfigMismatch' })).texts).toHaveLength(3);
  await waitFor('words of before to be in the index', async () => (await indexedBytes()) > 0);
  expect((await listed({ q: 'printk' })).texts).toHaveLength(3);
});
