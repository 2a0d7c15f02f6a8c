import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { markRedriven } from '#analytics/clickhouse/read-models/dead-letters.ts';
import { createRedrive } from '#ingest/dead-letters/redrive.ts';
import type { SubmitEvents } from '#ingest/http/submission.ts';
import { createLaneSubmission } from '#ingest/http/submit-events.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import { detectionSchema } from '#schemas/detection.ts';
import { openTestLane } from '#test/support/lane-fixture.ts';
import { useClickHouse } from '#test/support/use-services.ts';
import { issuesOf, runApp } from '../../running-app.ts';

const BIG = '18446744073709551614';
const trap = (second: number, ip: string, extra = '') =>
  `{"version":"V1","timestamp":"2026-03-01T00:00:${String(second).padStart(2, '0')}.123456789Z","hostname":"web-1","event":{"type":"LinuxKernelTrap","level":"Info","facility":"Kern","trap":{"type":"InvalidOpcode"},"procname":"nginx","pid":${100 + second},"ip":${ip},"sp":${BIG},"errcode":{"reason":"NoPageFound","access_type":"Read","access_mode":"User","use_of_reserved_bit":false,"instruction_fetch":false,"protection_keys_block_access":false},"file":"nginx","vmastart":4194304,"vmasize":1048576}${extra}}`;
const TRAPS = Array.from({ length: 12 }, (_, i) =>
  trap(i, String(4194304 + 4096 + i), i === 5 ? ', "kept" : 1.50' : ''),
);

let clickhouse: ClickHouse;
let submitEvents: SubmitEvents;

beforeAll(async () => {
  clickhouse = createClickHouse(await useClickHouse());
  await migrate(clickhouse);
  submitEvents = createLaneSubmission(openTestLane(clickhouse, { topic: 'local.http', counted: true }).lane);
  const texts = [...TRAPS, '{"version":"V0"}', '{"version":"V1"}'];
  const answer = await submitEvents({ items: texts.map((text, index) => ({ index, text: Buffer.from(text) })) });
  expect(answer).toMatchObject({ accepted: 12, rejected: [{ code: 'version_unknown' }, { code: 'field_missing' }] });
});
afterAll(() => clickhouse.close());

/** The app on the real store and the real pipeline. */
async function standing() {
  const limits = { maxBytes: 2 ** 20 };
  const redrive = createRedrive({
    submit: submitEvents,
    limits,
    validate: createValidateStep({ signalDialect: 'v1' }),
    markRedriven: (identity) => markRedriven(clickhouse, [{ identity, outcome: 'landed', triedMs: Date.now() }]),
  });
  return runApp({ deps: { clickhouse, submitEvents, redrive, logger: pino({ level: 'silent' }) } });
}

interface Listed {
  readonly data: Record<string, unknown>[];
  readonly nextCursor: string | null;
}

describe('events', () => {
  test('are listed newest first in pages, each once while others arrive', async () => {
    const { get, post } = await standing();
    const seen: unknown[] = [];
    let path = '/api/events?hostname=web-1&limit=5';
    for (let page = 0; path !== ''; page += 1) {
      const response = await get(path);
      const { data, nextCursor } = (await response.json()) as Listed;
      seen.push(...data.map(({ time }) => time));
      if (page === 0) await post('/api/events', trap(59, '1').replace('web-1', 'web-9'));
      path = nextCursor === null ? '' : `/api/events?hostname=web-1&limit=5&cursor=${nextCursor}`;
      expect(response.headers.get('link') === null).toBe(nextCursor === null);
    }
    expect(seen).toEqual(TRAPS.map((_, i) => `2026-03-01T00:00:${String(11 - i).padStart(2, '0')}.123456789Z`));
  });

  test('keep every digit in JSON, with the addresses as additional hexadecimal strings', async () => {
    const { get } = await standing();
    const text = await (await get('/api/events?hostname=web-1&limit=1')).text();
    expect(text).toContain(`"sp":${BIG}`);
    expect((JSON.parse(text) as Listed).data[0]).toMatchObject({ hex: { sp: '0xfffffffffffffffe' } });
  });

  test.each(['?format=v1&limit=20', '?format=v1'])('are returned as the original V1 event: %s', async (query) => {
    const { get } = await standing();
    const lines = (await (await get(`/api/events${query}&hostname=web-1`)).text()).trimEnd().split('\n');
    expect(lines).toEqual(TRAPS.toReversed());
  });

  test.each([
    ['accept: application/x-ndjson', '', { accept: 'application/x-ndjson' }, 'application/x-ndjson', 12],
    ['accept: text/csv', '', { accept: 'text/html, text/csv;q=0.9' }, 'text/csv; header=present', 13],
    ['format before accept', '&format=ecs', { accept: 'text/csv' }, 'application/x-ndjson', 12],
    ['format=cef', '&format=cef', {}, 'text/plain', 12],
    ['format=ocsf', '&format=ocsf&limit=3', {}, 'application/x-ndjson', 3],
    ['a limit binds ndjson too', '&format=ndjson&limit=3', {}, 'application/x-ndjson', 3],
  ])('%s', async (_, query, headers, type, lines) => {
    const { get } = await standing();
    const response = await get(`/api/events?hostname=web-1${query}`, headers);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect((await response.text()).trimEnd().split(/\r?\n/)).toHaveLength(lines);
  });

  test.each([
    ['type=LinuxKernelTrap&hostname=web-1', 12],
    ['type=ConfigMismatch', 0],
    ['hostname=web-1&from=2026-03-01T00:00:03Z&to=2026-03-01T00:00:05Z', 2],
    ['hostname=web-1&from=2026-03-01T01:00:03%2B01:00', 9],
    ['procname=nginx&file=nginx&q=KEPT', 1],
    ['procname=apache', 0],
    ['procname=apache,nginx&hostname=web-1', 12],
    ['exclude.procname=apache&hostname=web-1', 12],
    ['exclude.procname=apache,nginx&hostname=web-1', 0],
    ['type=LinuxKernelTrap,ConfigMismatch&hostname=web-1', 12],
    ['exclude.type=LinuxKernelTrap&hostname=web-1', 0],
    ['register=ip&from=2026-01-01T00:00:00Z', 0],
    ['register=ip', 0],
  ])('are filtered by %s', async (query, count) => {
    const { get } = await standing();
    expect(((await (await get(`/api/events?${query}`)).json()) as Listed).data).toHaveLength(count);
  });

  test.each([
    ['events?limit=0', 'limit', 400],
    ['events?limit=1001', 'limit', 400],
    ['events?limit=1&limit=2', 'limit', 400],
    ['events?hostnme=x', 'hostnme', 400],
    ['events?rule=instruction-pointer-probe', 'rule', 400],
    ['events?from=yesterday', 'from', 400],
    ['events?cursor=made-up', 'cursor', 400],
    ['events?format=table', 'format', 400],
    ['dead-letters?format=ocsf', 'format', 400],
    ['dead-letters?hostname=web-1', 'hostname', 400],
    ['detections?severity=terrible', 'severity', 400],
    ['detections?exclude.severity=terrible', 'exclude.severity', 400],
    ['detections?sort=name', 'sort', 400],
    ['detections?sort=severity&order=up', 'order', 400],
    ['events?sort=severity', 'sort', 400],
  ])('reject %s, naming %s', async (path, field, status) => {
    const { get } = await standing();
    const response = await get(`/api/${path}`);
    expect(response.status).toBe(status);
    expect(await issuesOf(response)).toMatchObject([{ field }]);
  });

  test('reject an unavailable format', async () => {
    const { get } = await standing();
    expect((await get('/api/events', { accept: 'image/png' })).status).toBe(406);
  });

  test('are returned by id', async () => {
    const { get } = await standing();
    const response = await get('/api/events/local.http~0~5');
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(TRAPS[5]);
  });

  test.each(['local.http~0~999999', 'nonsense', 'a~0~x', `${'t'.repeat(249)}~0~1`])(
    'are not found by the id %s',
    async (id) => {
      const { get } = await standing();
      expect((await get(`/api/events/${id}`)).status).toBe(404);
    },
  );
});

describe('detections', () => {
  test('are listed, and one shows its evidence', async () => {
    const { get } = await standing();
    const { data } = (await (
      await get('/api/detections?rule=instruction-pointer-probe&procname=nginx')
    ).json()) as Listed;
    expect(data).toHaveLength(1);
    const detection = detectionSchema.parse(data[0]);
    const one = (await (await get(`/api/detections/${detection.id}`)).json()) as { evidence: unknown[]; id: string };
    expect(detectionSchema.parse(one).id).toBe(detection.id);
    expect(one.evidence.length).toBeGreaterThanOrEqual(detection.crashes);
    const { data: events } = (await (await get(`/api/events?detection=${detection.id}`)).json()) as Listed;
    expect(events).toHaveLength(one.evidence.length);
  });

  test.each(['ndjson', 'csv'])('are streamed as %s', async (format) => {
    const { get } = await standing();
    const text = await (await get(`/api/detections?format=${format}&sort=crashes&severity=high,critical`)).text();
    expect(text).toContain('instruction-pointer-probe');
  });

  test('are not found by an unknown id', async () => {
    const { get } = await standing();
    expect((await get(`/api/detections/det_${'0'.repeat(32)}`)).status).toBe(404);
  });
});

describe('dead letters', () => {
  test('are listed with their payload, and filtered by reason', async () => {
    const { get } = await standing();
    expect(((await (await get('/api/dead-letters?topic=local.http')).json()) as Listed).data).toHaveLength(2);
    expect(((await (await get('/api/dead-letters?topic=events.v1')).json()) as Listed).data).toHaveLength(0);
    const { data } = (await (await get('/api/dead-letters?code=version_unknown')).json()) as Listed;
    expect(data).toMatchObject([
      { code: 'version_unknown', path: '$.version', raw: '{"version":"V0"}', redriven: null },
    ]);
  });

  test('are retried with a result for each', async () => {
    const { post, get } = await standing();
    const [one] = ((await (await get('/api/dead-letters?code=version_unknown')).json()) as Listed).data as {
      topic: string;
      partition: number;
      offset: number;
    }[];
    const id = `${one?.topic}~${one?.partition}~${one?.offset}`;
    const redriven = await post('/api/dead-letters/redrive', JSON.stringify({ ids: [id, 'local.http~0~999999'] }));
    expect(redriven.status).toBe(200);
    expect(await redriven.json()).toMatchObject({
      results: [{ outcome: 'rejected', code: 'version_unknown' }, { outcome: 'not_found' }],
    });
    const filtered = await post('/api/dead-letters/redrive', JSON.stringify({ filter: {} }));
    expect(await filtered.json()).toMatchObject({
      total: 2,
      results: [{ outcome: 'rejected' }, { outcome: 'rejected' }],
    });
  });

  test('are all retried in pages, each once, to the end', async () => {
    const { post, get } = await standing();
    const { data } = (await (await get('/api/dead-letters')).json()) as Listed;
    const answers: { results: { id: string }[]; nextCursor: string | null }[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const body = { filter: {}, limit: 1, ...(cursor === undefined ? {} : { cursor }) };
      const response = await post('/api/dead-letters/redrive', JSON.stringify(body));
      expect(response.status).toBe(200);
      const answer = (await response.json()) as (typeof answers)[number];
      answers.push(answer);
      cursor = answer.nextCursor;
    }
    const sent = answers.flatMap(({ results }) => results.map(({ id }) => id));
    expect(sent).toHaveLength(2);
    expect(new Set(sent)).toEqual(
      new Set(data.map(({ topic, partition, offset }) => `${topic}~${partition}~${offset}`)),
    );
    const byId = await post('/api/dead-letters/redrive', JSON.stringify({ ids: sent }));
    expect(await byId.json()).toMatchObject({ nextCursor: null });
  });

  test.each([
    '{"filter":{},"cursor":"nothing"}',
    '{"ids":["a"],"cursor":"b"}',
    '{"filter":{"q":"a:("}}',
    '{}',
    '{"ids":[],"filter":{}}',
    '{"ids":["a"],"all":true}',
    '{"filter":{"nme":"x"}}',
    '{',
    '[]',
  ])('reject %s', async (body) => {
    const { post } = await standing();
    expect((await post('/api/dead-letters/redrive', body)).status).toBe(400);
  });
});

test('returns the catalogue of rules', async () => {
  const { get } = await standing();
  const { data } = (await (await get('/api/rules')).json()) as Listed;
  expect(data.map(({ id }) => id)).toContain('stack-canary-probe');
});
