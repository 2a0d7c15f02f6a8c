import { describe, expect, test } from 'vitest';
import { useSharedClickHouse } from '#test/support/use-services.ts';
import { expandSql, type Shown } from './as-grafana-does.ts';
import { BIGGEST, ODD_HOST, useFilledDatabase } from './fixture.ts';
import { PANEL_QUERIES, VARIABLE_QUERIES } from './panel-queries.ts';

const { clickhouse, nowMs } = await useFilledDatabase();
const service = await useSharedClickHouse();
const SHOWN: Shown = { from: Math.floor(nowMs / 1_000) - 3_600, to: Math.floor(nowMs / 1_000) + 60 };
const SQL = PANEL_QUERIES.filter(({ language }) => language === 'sql');
const ADDRESSES = new Set(['ip', 'sp', 'location', 'vmastart', 'vmasize', 'evidence']);

interface Answer {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

/** Runs a query as the data source does: in its database, in read-only mode. */
async function ask(sql: string): Promise<Answer> {
  const response = await fetch(`${service.url}/?database=${clickhouse.database}&readonly=1`, {
    method: 'POST',
    body: `${sql}\nFORMAT JSON`,
    headers: { 'x-clickhouse-user': service.user, 'x-clickhouse-key': service.password },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${text}\n${sql}`);
  return JSON.parse(text) as Answer;
}

describe.each(SQL)('$name', ({ text }) => {
  test('is answered by the current tables and returns rows', async () => {
    const { data } = await ask(expandSql(text, SHOWN));
    expect(data.length).toBeGreaterThan(0);
  });

  test('returns addresses as text', async () => {
    const { meta } = await ask(expandSql(text, SHOWN));
    for (const { name, type } of meta) if (ADDRESSES.has(name)) expect(type, name).toMatch(/String/);
  });

  test('can be filtered by host and program', async () => {
    await ask(expandSql(text, { ...SHOWN, host: ['edge-1', ODD_HOST], program: ['edge-gw'] }));
  });
});

const panel = (title: string) => SQL.find(({ name }) => name.includes(title))?.text ?? expect.fail(title);

test('returns addresses exact to the last digit', async () => {
  const { data } = await ask(expandSql(panel('Detections / Crashes'), SHOWN));
  expect(data).toHaveLength(3);
  for (const row of data)
    expect(row).toMatchObject({ ip: `0x${BIGGEST.toString(16)}`, vmastart: `0x${(BIGGEST - 1n).toString(16)}` });
});

test('accepts a name with special characters', async () => {
  const odd = await ask(expandSql(panel('Detections / Crashes'), { ...SHOWN, host: [ODD_HOST] }));
  expect(odd.data.map(({ host }) => host)).toEqual([ODD_HOST]);
});

test.each(VARIABLE_QUERIES.filter(({ text }) => text.startsWith('SELECT')))('$name offers names', async ({ text }) => {
  const { meta, data } = await ask(expandSql(text, SHOWN));
  // The data source uses the first column as the value and the second as the label.
  expect(meta.map(({ name }) => name)).toEqual(['id', 'name']);
  expect(data.length).toBeGreaterThan(0);
  for (const { id, name } of data) expect(Buffer.from(String(id), 'hex').toString()).toBe(name);
});
