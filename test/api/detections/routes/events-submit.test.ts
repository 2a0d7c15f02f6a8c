import { Buffer } from 'node:buffer';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { SubmitEvents } from '#api/http/ports.ts';
import { errorEnvelopeSchema } from '#schemas/api/error-envelope.ts';
import { issuesOf, runApp } from '../../running-app.ts';

const EVENT = '{ "version":"V1",\n "n": 18446744073709551614, "x": 1.50 }';

describe('accepted bodies', () => {
  test.each([
    ['one event', EVENT, [EVENT]],
    ['an array', `[${EVENT} ,{"a":1e3}]`, [EVENT, '{"a":1e3}']],
    ['one event a line', '{"a":1}\n\n{"b":2}\r\n{"c":', ['{"a":1}', '{"b":2}', '{"c":']],
    ['a byte order mark first', '\ufeff{"a":1}', ['{"a":1}']],
    ['no JSON at all', 'hello', ['hello']],
  ])('%s', async (_, body, expected) => {
    const { post, texts } = await runApp();
    const response = await post('/api/events', body);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ accepted: expected.length, rejected: [], rejectedTotal: 0 });
    expect(texts()).toEqual([expected]);
  });

  test('keeps bytes that are not UTF-8', async () => {
    const { post, submitted } = await runApp();
    const odd = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xa0, 0x22, 0x7d]);
    await post('/api/events', Buffer.concat([Buffer.from('['), odd, Buffer.from(']')]));
    expect(submitted[0]?.items[0]?.text).toEqual(odd);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('accepts the compression %s', async (encoding, compress) => {
    const { post, texts } = await runApp();
    const response = await post('/api/events', compress(EVENT), { 'content-encoding': encoding });
    expect(response.status).toBe(200);
    expect(texts()).toEqual([[EVENT]]);
    const broken = await post('/api/events', compress(EVENT.repeat(99)).subarray(0, -3), {
      'content-encoding': encoding,
    });
    expect(broken.status).toBe(400);
    expect(await issuesOf(broken)).toMatchObject([{ field: 'content-encoding', code: 'invalid_value' }]);
  });
});

describe('bodies rejected as a whole', () => {
  test.each([
    ['an empty body', '', {}, 400, { field: '<root>', code: 'required' }],
    ['an empty array', '[]', {}, 400, { field: '<root>', code: 'required' }],
    ['an array that breaks off', '[{"a":1},{"b"', {}, 400, { field: '<root>', code: 'invalid_value' }],
    [
      'another content type',
      'a=b',
      { 'content-type': 'text/plain' },
      415,
      { field: 'content-type', code: 'unsupported_media_type' },
    ],
    [
      'an unknown encoding',
      'x',
      { 'content-encoding': 'lzma' },
      415,
      { field: 'content-encoding', code: 'unsupported_media_type' },
    ],
    [
      'two encodings',
      'x',
      { 'content-encoding': 'gzip, br' },
      415,
      { field: 'content-encoding', code: 'unsupported_media_type' },
    ],
    [
      'a key with a space',
      '{}',
      { 'idempotency-key': 'a b' },
      400,
      { field: 'idempotency-key', code: 'invalid_value' },
    ],
  ] as const)('%s', async (_, body, headers, status, issue) => {
    const { post, submitted } = await runApp();
    const response = await post('/api/events', body, headers);
    expect(response.status).toBe(status);
    const envelope = errorEnvelopeSchema.parse(await response.json());
    expect(envelope.issues).toMatchObject([issue]);
    expect(envelope.requestId).toBe(response.headers.get('x-request-id'));
    expect(submitted).toEqual([]);
  });

  test('rejects a body that decompresses above the limit, without decompressing it completely', async () => {
    const { post, submitted } = await runApp({ options: { maxBodyBytes: 100_000 } });
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    const response = await post('/api/events', bomb, { 'content-encoding': 'gzip' });
    expect(response.status).toBe(413);
    expect(await issuesOf(response)).toMatchObject([{ code: 'payload_too_large' }]);
    expect(submitted).toEqual([]);
  });

  test('rejects a plain body over the limit, and the client receives the reason', async () => {
    const { post } = await runApp({ options: { maxBodyBytes: 100_000 } });
    const response = await post('/api/events', Buffer.alloc(5_000_000, 0x20));
    expect(response.status).toBe(413);
    expect(await issuesOf(response)).toMatchObject([{ code: 'payload_too_large' }]);
  });

  test('rejects bodies beyond the shared budget with 429 and Retry-After; the budget is free after the response', async () => {
    const waiting = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const submitEvents: SubmitEvents = async ({ items }) => {
      arrived.resolve();
      await waiting.promise;
      return { accepted: items.length, rejected: [], rejectedTotal: 0 };
    };
    const { post } = await runApp({ deps: { submitEvents }, options: { maxBodiesBytes: 1_000 } });
    const body = JSON.stringify({ a: 'x'.repeat(300) });
    const first = post('/api/events', body);
    await arrived.promise;
    const second = await post('/api/events', body);
    expect(second.status).toBe(429);
    expect(second.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await issuesOf(second)).toMatchObject([{ code: 'rate_limited' }]);
    waiting.resolve();
    expect((await first).status).toBe(200);
    await expect.poll(async () => (await post('/api/events', body)).status).toBe(200);
  });
});

test('JSON bodies of other routes use the shared budget until they are read', async () => {
  const { post } = await runApp({
    options: { maxBodiesBytes: 1_000 },
    prepare: (app) => void app.post('/named', { config: { access: { by: 'anyone' } } }, async () => ({ ok: true })),
  });
  const body = (length: number) => JSON.stringify({ name: 'x'.repeat(length) });
  const refused = await post('/named', body(800));
  expect(refused.status).toBe(429);
  expect(await issuesOf(refused)).toMatchObject([{ code: 'rate_limited' }]);
  for (let turn = 0; turn < 5; turn++) expect((await post('/named', body(300))).status).toBe(200);
  expect((await post('/api/events', '{}')).status).toBe(200);
});

describe('the result of the events', () => {
  const rejection = { index: 1, code: 'field_missing', path: '$.event.pid', message: 'a required field is missing' };

  test('returns 200 also if some were rejected', async () => {
    const { post } = await runApp({
      deps: { submitEvents: async () => ({ accepted: 1, rejected: [rejection], rejectedTotal: 1 }) },
    });
    const response = await post('/api/events', '[{},{}]');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ accepted: 1, rejected: [rejection], rejectedTotal: 1 });
  });

  test('returns 400 if all were rejected, as result and error envelope', async () => {
    const only = { ...rejection, index: 0 };
    const { post } = await runApp({
      deps: { submitEvents: async () => ({ accepted: 0, rejected: [only], rejectedTotal: 1 }) },
    });
    const response = await post('/api/events', '{}');
    expect(response.status).toBe(400);
    const body = await response.json();
    expect(body).toMatchObject({ accepted: 0, rejected: [only] });
    expect(errorEnvelopeSchema.parse(body).issues).toEqual([
      { field: '[0].event.pid', code: 'field_missing', message: only.message, severity: 'error' },
    ]);
  });

  test('returns 429 if the queue is full', async () => {
    const { post } = await runApp({ deps: { submitEvents: async () => 'full' } });
    const response = await post('/api/events', '{}');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('1');
  });

  test('passes on the idempotency key', async () => {
    const { post, submitted } = await runApp();
    await post('/api/events', '{}', { 'idempotency-key': 'upload-7' });
    expect(submitted).toMatchObject([{ idempotencyKey: 'upload-7' }]);
  });

  test.each([
    ['503 with Retry-After when a store is unavailable', true, 503, 'unavailable'],
    ['500 without a word of the cause otherwise', false, 500, 'internal'],
  ])('%s', async (_, temporary, status, code) => {
    const submitEvents = async () => {
      throw new Error('row values that must stay secret');
    };
    const { post } = await runApp({ deps: { submitEvents, isTemporary: () => temporary } });
    const response = await post('/api/events', '{}');
    expect(response.status).toBe(status);
    expect(response.headers.has('retry-after')).toBe(temporary);
    const text = await response.text();
    expect(text).not.toContain('row values');
    expect(errorEnvelopeSchema.parse(JSON.parse(text)).issues).toMatchObject([{ code }]);
  });
});
