import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Client } from 'undici';
import { afterAll, expect, test } from 'vitest';
import { startApp } from '../running-app.ts';

const LONG = JSON.stringify({ text: 'the same again, '.repeat(1000) });
const config = { access: { by: 'anyone' }, limiting: 'none', logged: 'refusals' } as const;
const { app, url } = await startApp({
  prepare(server) {
    const add = (path: string, type: string, body: () => string | Readable) =>
      server.get(path, { config, schema: { hide: true } }, async (_request, reply) => reply.type(type).send(body()));
    add('/long', 'application/json; charset=utf-8', () => LONG);
    add('/short', 'application/json', () => '{}');
    add('/stream', 'application/json', () => Readable.from([LONG]));
    add('/image', 'image/png', () => LONG);
    add('/api/auth/secret', 'application/json', () => LONG);
  },
});
const client = new Client(url);
afterAll(async () => {
  await client.close();
  await app.close();
});

async function get(path: string, acceptEncoding?: string) {
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
  const answer = await client.request({ path, method: 'GET', headers });
  const body = Buffer.from(await answer.body.arrayBuffer());
  return { headers: answer.headers, body };
}

test('an answer of text is compressed as the client prefers', async () => {
  const br = await get('/long', 'gzip, deflate, br');
  expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  expect(br.headers['content-length']).toBe(String(br.body.length));
  expect(brotliDecompressSync(br.body).toString()).toBe(LONG);
  const gzip = await get('/long', 'br;q=0.5, gzip');
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzip.body).toString()).toBe(LONG);
  expect(Math.max(br.body.length, gzip.body.length)).toBeLessThan(LONG.length / 10);
});

test('who does not ask for it gets the text as it is, and caches are told that it varies', async () => {
  for (const acceptEncoding of [undefined, '', 'identity', 'br;q=0, gzip;q=0', 'zstd']) {
    const { headers, body } = await get('/long', acceptEncoding);
    expect([acceptEncoding, headers['content-encoding'], headers.vary]).toEqual([
      acceptEncoding,
      undefined,
      'accept-encoding',
    ]);
    expect(body.toString()).toBe(LONG);
  }
});

test('short answers, streams, images and secrets are not compressed', async () => {
  for (const path of ['/short', '/stream', '/image', '/api/auth/secret']) {
    const { headers } = await get(path, 'gzip, br');
    expect([path, headers['content-encoding']]).toEqual([path, undefined]);
  }
});
