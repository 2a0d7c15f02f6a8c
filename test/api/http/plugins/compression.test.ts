import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { SessionCaller } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { createLongPoll } from '#api/http/responses/long-poll.ts';
import { OPERATOR_KEY, operatorGuard, runApp } from '../../running-app.ts';

const LONG = 'a detection of a host '.repeat(200);
const SHORT = 'short';
const SESSION = { cookie: 'trapline-session=valid' };
const KEY = { 'x-api-key': OPERATOR_KEY };
const session = { kind: 'session', role: 'admin', userId: 'user', sessionId: 'session' } as unknown as SessionCaller;

const config = { access: { by: 'key-or-session', scope: 'detections:read' } } as const;
const described = { schema: { response: { 200: z.any() } } };

/** Routes that send the same text in each way that the API uses. */
function prepare(app: ApiServer): void {
  const hold = createLongPoll();
  app.get('/json', { config, ...described }, async () => ({ text: LONG }));
  app.get('/short', { config, ...described }, async () => ({ text: SHORT }));
  app.post('/made', { config, ...described }, async () => ({ text: LONG }));
  app.get('/api/auth/made', { config: { access: { by: 'anyone' } }, ...described }, async () => ({ text: LONG }));
  app.get('/lines', { config }, async (_request, reply) =>
    reply.type('application/x-ndjson; charset=utf-8').send(Readable.from([LONG, LONG])),
  );
  app.get('/broken', { config }, async (_request, reply) =>
    reply.type('application/x-ndjson; charset=utf-8').send(
      Readable.from(
        (function* () {
          // More than a compressor buffers.
          for (let at = 0; at < 100; at += 1) yield randomBytes(65_536).toString('hex');
          throw new Error('the store has failed');
        })(),
      ),
    ),
  );
  app.get('/refused', { config }, async (_request, reply) =>
    reply.type('application/x-ndjson; charset=utf-8').send(
      new Readable({
        read() {
          this.destroy(apiError('invalid_value', 'narrow the query '.repeat(100)));
        },
      }),
    ),
  );
  app.get('/stream', { config }, async (_request, reply) => {
    const stream = new Readable({ read() {} });
    stream.push(`data: ${LONG}\n\n`);
    return reply.type('text/event-stream; charset=utf-8').send(stream);
  });
  app.get('/held', { config }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(hold('caller', () => new Promise(() => {}))),
  );
  app.get('/download', { config }, async (_request, reply) =>
    reply.type('application/octet-stream').send(Buffer.from(LONG)),
  );
}

async function running() {
  const guard = { ...operatorGuard(), authenticateSession: async () => session };
  return runApp({ deps: { guard }, prepare });
}

interface Answer {
  readonly status: number | undefined;
  readonly encoding: string | undefined;
  readonly body: Buffer;
  readonly complete: boolean;
}

/** Sends one request. With `untilData`, resolves at the first bytes of the response. `fetch` would decompress it. */
function send(url: string, headers: Record<string, string>, { method = 'GET', untilData = false } = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const encoding = response.headers['content-encoding'];
      const chunks: Buffer[] = [];
      const end = () =>
        resolve({ status: response.statusCode, encoding, body: Buffer.concat(chunks), complete: response.complete });
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (!untilData) return;
        end();
        sent.destroy();
      });
      response.on('error', end);
      response.on('end', end);
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('compresses responses above 1 KiB with brotli or gzip, as the client accepts', async () => {
  const { url } = await running();
  for (const headers of [KEY, SESSION]) {
    const br = await send(`${url}/json`, { ...headers, 'accept-encoding': 'gzip, br' });
    expect(br.encoding).toBe('br');
    expect(JSON.parse(brotliDecompressSync(br.body).toString())).toEqual({ text: LONG });
    const gzip = await send(`${url}/json`, { ...headers, 'accept-encoding': 'gzip' });
    expect(gzip.encoding).toBe('gzip');
    expect(gzip.body.length).toBeLessThan(LONG.length / 4);
    expect(JSON.parse(gunzipSync(gzip.body).toString())).toEqual({ text: LONG });
    expect((await send(`${url}/json`, headers)).encoding).toBeUndefined();
    expect((await send(`${url}/short`, { ...headers, 'accept-encoding': 'gzip' })).encoding).toBeUndefined();
  }
});

test('compresses streamed records, and a failure in the middle cuts the connection', async () => {
  const { url } = await running();
  const lines = await send(`${url}/lines`, { ...KEY, 'accept-encoding': 'gzip' });
  expect(lines.encoding).toBe('gzip');
  expect(gunzipSync(lines.body).toString()).toBe(LONG + LONG);
  const broken = await send(`${url}/broken`, { ...KEY, 'accept-encoding': 'gzip' });
  expect(broken).toMatchObject({ encoding: 'gzip', complete: false });
});

test('a stream that fails before its first record returns a readable error', async () => {
  const { url } = await running();
  const { status, encoding, body } = await send(`${url}/refused`, { ...KEY, 'accept-encoding': 'gzip' });
  const text = encoding === 'gzip' ? gunzipSync(body) : body;
  expect(status).toBe(400);
  expect(JSON.parse(text.toString())).toMatchObject({ issues: [{ code: 'invalid_value' }] });
});

test('does not compress events, held responses and downloads', async () => {
  const { url } = await running();
  const accept = { ...KEY, 'accept-encoding': 'gzip, br' };
  for (const path of ['/stream', '/held']) {
    const { encoding, body } = await send(`${url}${path}`, accept, { untilData: true });
    expect({ path, encoding, sent: body.length > 0 }).toEqual({ path, encoding: undefined, sent: true });
  }
  expect((await send(`${url}/download`, accept)).encoding).toBeUndefined();
});

test('does not compress responses with secrets and reflected input for cookie requests', async () => {
  const { url } = await running();
  const made = (headers: Record<string, string>) =>
    send(`${url}/made`, { ...headers, 'accept-encoding': 'gzip' }, { method: 'POST' });
  expect(await made(SESSION)).toMatchObject({ status: 200, encoding: undefined });
  expect((await made(KEY)).encoding).toBe('gzip');
  expect((await send(`${url}/api/auth/made`, { ...SESSION, 'accept-encoding': 'gzip' })).encoding).toBeUndefined();
});
