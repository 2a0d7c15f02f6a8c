import { expect, test } from 'vitest';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { listEvents, streamEventLines } from '#analytics/clickhouse/read-models/events.ts';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import { eventsTable } from '#analytics/clickhouse/tables/events.ts';
import type { EventType } from '#schemas/events/versions/v1.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { accepted, callback, trap, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const events = clickhouse.table(eventsTable.name);
const NOW = Math.floor(Date.now() / 1000);

const PROBE: EventType = {
  type: 'RegisterProbe',
  justification: { EventCount: 18446744073709551615n },
  message: 'a probe, printed\nin two lines',
  procname: 'nginx',
  register: 'ip',
};
const MISMATCH: EventType = { type: 'ConfigMismatch', key: 'kernel.printk', expected_value: '1', observed_value: '0' };
const KINDS: readonly EventType[] = [trap('nginx', 7, 4096), PROBE, callback(3), MISMATCH];
/** The event with the white space that its sender put around the JSON. */
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

/** Returns the raw texts of the list, newest first, and the queries sent to the store for it. */
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

test('stores the text of detector fields also in a separate column', async () => {
  await landAll();
  expect(await texts()).toEqual([
    ['LinuxKernelTrap', ''],
    ['RegisterProbe', textOf(PROBE)],
    ['LinuxSuppressedCallback', ''],
    ['ConfigMismatch', textOf(MISMATCH)],
  ]);
});

test('lists and exports of detector texts read that column byte for byte, and all others read raw', async () => {
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

test('a search in detector texts still reads raw, and finds them', async () => {
  expect((await listed({ type: 'ConfigMismatch', q: 'printk' })).texts).toEqual([textOf(MISMATCH)]);
  expect((await listed({ type: 'ConfigMismatch', q: 'nginx' })).texts).toEqual([]);
});
