import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ClickHouse, QueryOptions } from '#analytics/clickhouse/client.ts';
import { useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { generateDetections } from '#test/bench/generated-detections.ts';
import { generateEvents } from '#test/bench/generated-events.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { issuesOf, OPERATOR_KEY, runApp, startApp } from '../running-app.ts';

const { clickhouse } = await useDatabase();
const { app, url } = await startApp({ deps: { clickhouse } });
afterAll(() => app.close());

const ROWS = { events: 25_000, detections: 9_000, 'dead-letters': 25_000 } as const;
/** Every kind of complete export. */
const STREAMS = (['events', 'detections', 'dead-letters'] as const).flatMap((kind) =>
  (['ndjson', 'csv'] as const).map((format) => [kind, format] as const),
);
/** The other line formats use the same code as csv. One format of each kind is checked for completeness. */
const LINES = [
  ['events', 'ecs'],
  ['detections', 'ocsf'],
] as const;
/** Every format of a single page. */
const PAGES = [
  ...(['json', 'v1', 'cef', 'ecs', 'ocsf'] as const).map((format) => ['events', format] as const),
  ...(['json', 'cef', 'ecs', 'ocsf'] as const).map((format) => ['detections', format] as const),
];

beforeAll(async () => {
  await generateEvents(clickhouse, ROWS.events, () => {});
  await generateDetections(clickhouse, ROWS.detections);
  await clickhouse.command(
    'generate dead letters',
    `INSERT INTO ${clickhouse.table('dead_letter_records')} (landing_day, topic, partition, offset, received, code, path, message, ingest_id, key, raw)
     SELECT today(), 'events.v1', 0, number, now64(3) - number, 'field_missing', '/event', 'it is not there', '', NULL, repeat('x', 400) FROM numbers({rows:UInt64})`,
    { params: { rows: ROWS['dead-letters'] } },
  );
});

/** Queries that ClickHouse runs for this database, except this one. */
async function busyWith(): Promise<string[]> {
  const rows = await clickhouse.rows<{ query: string }>(
    'look at what runs',
    `SELECT query FROM system.processes WHERE position(query, {database:String}) > 0 AND position(query, 'system.processes') = 0`,
    { params: { database: clickhouse.database } },
  );
  return rows.map(({ query }) => query);
}

/** A response that is not read until the test asks for it. */
async function unread(url: string): Promise<IncomingMessage> {
  const request = get(url, { headers: { 'x-api-key': OPERATOR_KEY } });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function linesOf(response: IncomingMessage): Promise<number> {
  let lines = 0;
  for await (const chunk of response) lines += (chunk as Buffer).toString('latin1').split('\n').length - 1;
  return lines;
}

describe('a slow reader does not keep ClickHouse busy, and gets all data in the end', () => {
  test.each(STREAMS)('%s as %s', async (kind, format) => {
    const response = await unread(`${url}/api/${kind}?format=${format}`);
    await waitFor('ClickHouse to be idle', async () => (await busyWith()).length === 0);
    expect(response.readableEnded).toBe(false);
    // A reader that reads a little and pauses again is treated the same.
    await once(response, 'readable');
    response.read(1);
    await waitFor('ClickHouse to be idle again', async () => (await busyWith()).length === 0);
    expect(await linesOf(response)).toBe(ROWS[kind] + (format === 'csv' ? 1 : 0));
  });

  test.each(LINES)('%s as %s, an endless list', async (kind, format) => {
    expect(await linesOf(await unread(`${url}/api/${kind}?format=${format}`))).toBe(ROWS[kind]);
  });

  test.each(PAGES)('a page of %s as %s', async (kind, format) => {
    const response = await unread(`${url}/api/${kind}?format=${format}&limit=1000`);
    expect(response.statusCode).toBe(200);
    await waitFor('ClickHouse to be idle', async () => (await busyWith()).length === 0);
    response.destroy();
  });

  test.each(STREAMS)('%s as %s: a reader that disconnects ends its query', async (kind, format) => {
    const response = await unread(`${url}/api/${kind}?format=${format}`);
    response.destroy();
    await waitFor('ClickHouse to be idle', async () => (await busyWith()).length === 0);
  });
});

const LIMITS = [
  ['rows', { max_rows_to_read: '1' }],
  ['memory', { max_memory_usage: '1000', max_untracked_memory: '1' }],
  ['time', { max_execution_time: 0.000_001 }],
] as const;

/** The store, which limits every query that reads records after the given number of queries. */
function limited(settings: object, after: number): ClickHouse {
  let asked = 0;
  const options = (operation: string, given: QueryOptions = {}): QueryOptions => {
    if (!/^(list|write) /.test(operation)) return given;
    asked += 1;
    return asked <= after ? given : { ...given, settings: { ...given.settings, ...settings } };
  };
  return {
    ...clickhouse,
    rows: (operation, query, given) => clickhouse.rows(operation, query, options(operation, given)),
    bytes: (operation, query, given) => clickhouse.bytes(operation, query, options(operation, given)),
  };
}

describe.each(LIMITS)('a query that exceeds the limit of %s', (limit, settings) => {
  // The outcome depends on the kind of limit and on the format, but not on both together.
  const all = limit === 'rows';
  test.each(all ? STREAMS : STREAMS.slice(0, 1))(
    '%s as %s: returns a 400 before the first byte, and breaks the stream after it',
    async (kind, format) => {
      const headers = { 'x-api-key': OPERATOR_KEY };
      const { get: ask } = await runApp({ deps: { clickhouse: limited(settings, 0) } });
      const refused = await ask(`/api/${kind}?format=${format}`);
      expect([refused.status, await issuesOf(refused)]).toMatchObject([
        400,
        [{ message: expect.stringContaining('than a query may') }],
      ]);
      // After enough time windows that a part has been sent, but not all.
      const { url } = await runApp({ deps: { clickhouse: limited(settings, kind === 'detections' ? 1 : 8) } });
      const answer = await fetch(`${url}/api/${kind}?format=${format}`, { headers });
      expect(answer.status, answer.ok ? '' : await answer.clone().text()).toBe(200);
      await expect(answer.text()).rejects.toThrow();
    },
  );

  test.each(all ? PAGES : PAGES.slice(0, 1))('a page of %s as %s: returns a 400', async (kind, format) => {
    const { get: ask } = await runApp({ deps: { clickhouse: limited(settings, 0) } });
    expect((await ask(`/api/${kind}?format=${format}&limit=1000`)).status).toBe(400);
  });
});
