import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { errorEnvelopeSchema } from '#schemas/api/error-envelope.ts';
import { OPERATOR_KEY, runApp } from '../../running-app.ts';

const UPLOAD_RATE = { bytesPerSecond: 1_000_000, graceMs: 200 };

/** Begins a request whose body never ends. */
function begin(url: string, path: string, headers: Record<string, string> = {}): ClientRequest {
  const sending = request(url + path, {
    method: 'POST',
    headers: { 'x-api-key': OPERATOR_KEY, 'content-type': 'application/json', ...headers },
  });
  sending.on('error', () => {});
  onTestFinished(() => void sending.destroy());
  return sending;
}

async function answerOf(sending: ClientRequest) {
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  const body = errorEnvelopeSchema.parse(JSON.parse(await text(response)));
  return { status: response.statusCode, issues: body.issues, connection: response.headers.connection };
}

const TOO_SLOW = { status: 408, issues: [{ code: 'request_timeout' }], connection: 'close' };

describe('a stalled body', () => {
  test.each([
    ['events', '/api/events', {}, '{"a":'],
    ['compressed events', '/api/events', { 'content-encoding': 'gzip' }, gzipSync('{"a":1}').subarray(0, 12)],
    ['with an announced length', '/api/events', { 'content-length': '30000000' }, '{"a":'],
    ['JSON', '/named', {}, '{"name":'],
    ['never begun', '/named', { 'content-length': '10' }, ''],
  ] as const)('%s: returns 408 and closes the connection', async (_, path, headers, beginning) => {
    const { url, submitted } = await runApp({
      options: { uploadRate: UPLOAD_RATE },
      prepare: (app) => void app.post('/named', { config: { access: { by: 'anyone' } } }, async () => ({})),
    });
    const sending = begin(url, path, headers);
    if (beginning === '') sending.flushHeaders();
    else sending.write(beginning);
    expect(await answerOf(sending)).toMatchObject(TOO_SLOW);
    expect(submitted).toEqual([]);
  });

  /** Regression: two stalled uploads blocked all other uploads for two minutes. */
  test('returns its share of the budget', async () => {
    const { url, post } = await runApp({ options: { uploadRate: UPLOAD_RATE, maxBodiesBytes: 2_000 } });
    const sending = begin(url, '/api/events');
    sending.write(`{"a":"${'x'.repeat(800)}`);
    expect(await answerOf(sending)).toMatchObject(TOO_SLOW);
    expect((await post('/api/events', `{"a":"${'x'.repeat(800)}"}`)).status).toBe(200);
  });

  test('is measured per grace period: earlier bytes do not count', async () => {
    const { url } = await runApp({ options: { uploadRate: { bytesPerSecond: 1_000, graceMs: 200 } } });
    const sending = begin(url, '/api/events');
    sending.write(`{"a":"${'x'.repeat(2_000_000)}`);
    expect(await answerOf(sending)).toMatchObject(TOO_SLOW);
  });
});

test('a body that waits for the server is not slow', async () => {
  const waiting = Promise.withResolvers<void>();
  const { url, app } = await runApp({
    options: { uploadRate: UPLOAD_RATE },
    prepare: (server) =>
      void server.post(
        '/patient',
        { config: { access: { by: 'anyone' } }, onRequest: () => waiting.promise },
        async () => ({ ok: true }),
      ),
  });
  const sending = begin(url, '/patient', { 'content-length': '300000' });
  sending.write(`{"a":"${'x'.repeat(200_000)}`);
  // Bytes have arrived and are not read for as long as it takes to detect a slow sender twice.
  for (let turn = 0; turn < 2; turn++) {
    const stalled = begin(url, '/api/events');
    stalled.write('{"a":');
    expect(await answerOf(stalled)).toMatchObject(TOO_SLOW);
  }
  waiting.resolve();
  sending.end(`${'x'.repeat(99_992)}"}`);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  expect(app.requestsInFlight()).toBeLessThanOrEqual(1);
});
