import { expect, test } from 'vitest';
import { listEvents, streamEventLines } from '#analytics/clickhouse/read-models/events.ts';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import { ndjson } from '#analytics/formats/json.ts';
import { eventRecord } from '#api/detections/records/event-record.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { randomEvents } from '#test/support/random-events.ts';
import { landRange, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();

async function asWritten(filters: Filters = {}): Promise<string[]> {
  const lines: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listEvents(clickhouse, filters, { limit: 1_000, ...(cursor === undefined ? {} : { cursor }) });
    for (const stored of page.items) lines.push(ndjson.event?.(eventRecord(stored)) ?? '');
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return lines;
}

async function asStreamed(filters: Filters = {}): Promise<string[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of streamEventLines(clickhouse, filters)) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text.split('\n').slice(0, -1);
}

test('ClickHouse writes events like the format, digit by digit, in the same order', async () => {
  const block = store.openEvents({ topic: 'lines.v1', partition: 3 }, Date.now());
  for (const [offset, accepted] of randomEvents(7, 2_000).entries()) {
    const text = stringifyExact(accepted.event);
    const raw =
      offset % 10 === 0 ? text.replace('{', '{\r\n  ') : text.replace('"version"', '"note":"ünï\\n\\"x\\"","version"');
    block.append({ offset, accepted, raw: Buffer.from(raw), ingestId: '' });
  }
  await store.landEvents(block, -1);
  const expected = await asWritten();
  expect(expected).toHaveLength(2_000);
  expect(await asStreamed()).toEqual(expected);
  expect(await asStreamed({ hostname: 'host-1' })).toEqual(await asWritten({ hostname: 'host-1' }));
  expect(await asStreamed({ hostname: 'nowhere' })).toEqual([]);
});

test('returns more than a page of them, without duplicates or gaps', async () => {
  await landRange(store, { topic: 'pages.v1', partition: 0 }, 0, 59_999, -1);
  const offsets = (await asStreamed({ type: 'LinuxSuppressedCallback' }))
    .map((line) => JSON.parse(line) as { topic: string; offset: number })
    .filter(({ topic }) => topic === 'pages.v1')
    .map(({ offset }) => offset);
  expect(offsets).toEqual(Array.from({ length: 60_000 }, (_, i) => 59_999 - i));
});
