import { expect, test } from 'vitest';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { listEvents } from '#analytics/clickhouse/read-models/events.ts';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import { accepted, callback, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const now = Math.floor(Date.now() / 1000);
const LONG = 400 * 86_400;
const COUNT = 500;

/** One event per second. The last one is either recent or old. */
async function land(hostname: string, end: number): Promise<void> {
  const block = store.openEvents({ topic: hostname, partition: 0 }, Date.now());
  for (let offset = 0; offset < COUNT; offset += 1)
    block.append({
      offset,
      accepted: accepted(callback(offset), hostname, end - COUNT + offset),
      raw: Buffer.from(`{"n":${offset}}`),
      ingestId: '',
    });
  await store.landEvents(block, -1);
}

/** Returns the events of the list and the number of queries that it took. */
async function listed(filters: Filters, limit: number) {
  let queries = 0;
  const counting: ClickHouse = {
    ...clickhouse,
    rows(operation, query, options) {
      queries += 1;
      return clickhouse.rows(operation, query, options);
    },
  };
  const { items } = await listEvents(counting, filters, { limit });
  return { offsets: items.map(({ offset }) => offset), queries };
}

const NEWEST = [499, 498, 497];

test('a page takes one query for frequent events, four for an empty range, five for an old last event or rare events', async () => {
  expect(await listed({}, 3)).toEqual({ offsets: [], queries: 4 });
  await land('old', now - LONG);
  expect(await listed({}, 3)).toEqual({ offsets: NEWEST, queries: 5 });
  expect(await listed({ hostname: 'old' }, 3)).toEqual({ offsets: NEWEST, queries: 5 });

  await land('fresh', now);
  expect(await listed({}, 3)).toEqual({ offsets: NEWEST, queries: 1 });
  expect(await listed({ hostname: 'fresh' }, 3)).toEqual({ offsets: NEWEST, queries: 1 });
  expect(await listed({ hostname: 'old' }, 100)).toMatchObject({ offsets: expect.arrayContaining(NEWEST), queries: 5 });
  expect(await listed({ hostname: 'nowhere' }, 100)).toEqual({ offsets: [], queries: 5 });
});

test('a merge builds the coarse filters of names, which skip granules without the name', async () => {
  await clickhouse.command('merge', `OPTIMIZE TABLE ${clickhouse.table('events')} FINAL`);
  const plan = await clickhouse.rows<{ explain: string }>(
    'explain a list',
    `EXPLAIN indexes = 1 SELECT offset FROM ${clickhouse.table('events')} WHERE hostname = 'nowhere'`,
  );
  const lines = plan.map(({ explain }) => explain.trim());
  const ofIndex = lines.slice(lines.indexOf('Name: hostname_coarse'));
  expect(ofIndex.find((line) => line.startsWith('Granules:'))).toMatch(/^Granules: 0\/[1-9]/);
});
