import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { RequestRecord } from '#api/http/request-record.ts';
import { operatorGuard, runApp } from '#test/api/running-app.ts';
import { waitFor } from '#test/support/wait-for.ts';

async function watched() {
  const records: RequestRecord[] = [];
  const running = await runApp({
    deps: {
      requestSinks: [(record) => records.push(record)],
      guard: operatorGuard(),
    },
    prepare(app) {
      app.get('/api/slow', { config: { access: { by: 'anyone' } } }, async () => new Promise(() => {}));
      app.get('/api/things/:id', { config: { access: { by: 'anyone' } } }, async () => ({ ok: true }));
      app.get('/api/scraped', { config: { access: { by: 'anyone' } } }, async (request) => {
        request.scraped = { scraper: 'codehost-user', cache: 'hit' };
        return { ok: true };
      });
    },
  });
  const recorded = (count: number) => waitFor(`${count} records`, () => records.length >= count && records);
  return { ...running, records, recorded };
}

describe('every request leaves one record', () => {
  test('with caller, route and outcome', async () => {
    const { get, recorded } = await watched();
    const response = await get('/api/rules?secret=hunter2', { 'user-agent': 'test/1', 'x-request-id': 'request-0001' });
    const length = Number(response.headers.get('content-length'));
    expect(await recorded(1)).toMatchObject([
      {
        requestId: 'request-0001',
        method: 'GET',
        route: '/api/rules',
        path: '/api/rules',
        status: response.status,
        ip: '127.0.0.1',
        userAgent: 'test/1',
        actor: 'operator',
        userId: null,
        keyId: 'operator',
        scraper: null,
        cache: null,
      },
    ]);
    const [record] = await recorded(1);
    expect(record?.bytes).toBeGreaterThan(length);
    expect(record?.durationMs).toBeGreaterThan(0);
    expect(JSON.stringify(record)).not.toContain('hunter2');
  });

  test('also if the guard rejected it', async () => {
    const { url, recorded } = await watched();
    await fetch(`${url}/api/rules`, { headers: { 'x-api-key': 'wrong' } });
    expect(await recorded(1)).toMatchObject([{ status: 401, actor: 'anonymous', ip: '127.0.0.1' }]);
  });

  test('also if the path does not exist, without text that looks like a secret', async () => {
    const { url, recorded } = await watched();
    const key = `tl_0123456789ab.${'s3cret'.repeat(8)}`;
    await fetch(`${url}/nowhere/${key}?token=abc`);
    expect(await recorded(1)).toMatchObject([{ route: 'none', path: '/nowhere/[redacted]', status: 404 }]);
  });

  test('also if the address cannot be decoded', async () => {
    const { url, recorded } = await watched();
    const response = await fetch(`${url}/api/%zz`);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await recorded(1)).toMatchObject([{ route: 'none', path: '/api/%zz', status: 400, ip: '127.0.0.1' }]);
  });

  test('with the path of a route with parameters, without the query', async () => {
    const { url, recorded } = await watched();
    await fetch(`${url}/api/things/42?a=b`);
    expect(await recorded(1)).toMatchObject([{ route: '/api/things/:id', path: '/api/things/42' }]);
  });

  test('also if the client disconnected', async () => {
    const { port, recorded } = await watched();
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /api/slow HTTP/1.1\r\nhost: x\r\n\r\n');
    await new Promise((resolve) => setImmediate(resolve));
    const ready = connect(port, '127.0.0.1');
    ready.write('GET /api/things/1 HTTP/1.1\r\nhost: x\r\n\r\n');
    await recorded(1);
    socket.destroy();
    ready.destroy();
    expect((await recorded(2)).map(({ route }) => route).sort()).toEqual(['/api/slow', '/api/things/:id']);
  });

  test('with the scraper and the source of its result', async () => {
    const { url, recorded } = await watched();
    await fetch(`${url}/api/scraped`);
    expect(await recorded(1)).toMatchObject([{ scraper: 'codehost-user', cache: 'hit' }]);
  });

  test('except for health probes', async () => {
    const { url, get, records, recorded } = await watched();
    await fetch(`${url}/healthz`);
    await get('/metrics');
    await fetch(`${url}/api/things/1`);
    await recorded(1);
    expect(records).toHaveLength(1);
  });
});
