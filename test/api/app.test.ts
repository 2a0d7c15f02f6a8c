import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AppOptions } from '#api/app.ts';
import { SECURITY_HEADERS } from '#api/http/plugins/security-headers.ts';
import type { ComponentChecks } from '#api/http/ports.ts';
import { errorEnvelopeSchema } from '#schemas/api/error-envelope.ts';
import { issuesOf, OPERATOR_KEY, runApp } from './running-app.ts';

describe('the operator key', () => {
  const call = (url: string, headers: Record<string, string>) =>
    fetch(`${url}/api/events`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', ...headers },
    });

  test.each([
    ['x-api-key', { 'x-api-key': OPERATOR_KEY }, 200],
    ['Authorization: Bearer', { authorization: `Bearer ${OPERATOR_KEY}` }, 200],
    ['bearer in lower case', { authorization: `bearer ${OPERATOR_KEY}` }, 200],
    ['no key', {}, 401],
    ['an empty key', { 'x-api-key': '' }, 401],
    ['another key', { 'x-api-key': `${OPERATOR_KEY}x` }, 401],
    ['another scheme', { authorization: `Basic ${OPERATOR_KEY}` }, 401],
    ['a wrong key before a right one', { 'x-api-key': 'wrong', authorization: `Bearer ${OPERATOR_KEY}` }, 401],
  ] as const)('%s', async (_, headers, status) => {
    const { url, submitted } = await runApp();
    const response = await call(url, headers);
    expect(response.status).toBe(status);
    if (status === 200) return;
    expect(await issuesOf(response)).toMatchObject([{ field: '<root>', code: 'unauthorized' }]);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(submitted).toEqual([]);
  });
});

describe('every response', () => {
  test.each(['/healthz', '/nothing-here', '/api/events'])(
    '%s carries a request id and the security headers',
    async (path) => {
      const { url } = await runApp();
      const response = await fetch(url + path, { headers: { 'x-request-id': 'trace_0123-abc' } });
      expect(response.headers.get('x-request-id')).toBe('trace_0123-abc');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(response.headers.get('strict-transport-security')).toContain('preload');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('x-frame-options')).toBe('DENY');
    },
  );

  test.each(['short', 'has space in it', `${'x'.repeat(129)}`])('replaces the request id %j', async (given) => {
    const { url } = await runApp();
    const response = await fetch(`${url}/healthz`, { headers: { 'x-request-id': given } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['GET', '/nothing-here', 404, 'not_found'],
    ['DELETE', '/healthz', 404, 'not_found'],
    ['GET', '/%zz', 400, 'invalid_value'],
  ])('%s %s is rejected with the envelope', async (method, path, status, code) => {
    const { url } = await runApp();
    const response = await fetch(url + path, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(errorEnvelopeSchema.parse(await response.json()).issues).toMatchObject([{ code }]);
  });

  test.each([
    ['what is no HTTP', 'NOT HTTP AT ALL\r\n\r\n', '400 Bad Request', 'invalid_value'],
    ['HTTP/1.1 without a host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', '400 Bad Request', 'required'],
    [
      'headers that are too long',
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      'headers_too_large',
    ],
  ])('%s is rejected with the envelope and the security headers', async (_, sent, status, code) => {
    const { port } = await runApp();
    const [head = '', body = ''] = await exchange(port, sent);
    expect(head).toContain(status);
    expect(head.toLowerCase()).toContain('x-request-id: ');
    for (const name of Object.keys(SECURITY_HEADERS)) expect(head.toLowerCase()).toContain(`\n${name}: `);
    expect(errorEnvelopeSchema.parse(JSON.parse(body))).toMatchObject({ issues: [{ code }] });
  });

  test('an unknown Expect header is ignored', async () => {
    const { port } = await runApp();
    const [head] = await exchange(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: 300\r\nConnection: close\r\n\r\n');
    expect(head).toContain('200 OK');
    expect(head).toContain('x-request-id: ');
  });

  /** Sends the bytes as they are; resolves to head and body of the answer when the connection ends. */
  async function exchange(port: number, sent: string): Promise<string[]> {
    const socket = connect(port, '127.0.0.1');
    socket.write(sent);
    return (await text(socket)).split('\r\n\r\n');
  }
});

describe('bodies', () => {
  const runEcho = () =>
    runApp({
      prepare: (app) => {
        const config = { access: { by: 'anyone' } } as const;
        const schema = { response: { 200: z.object({ name: z.string() }) } };
        app.post(
          '/named',
          { config, schema: { ...schema, body: z.strictObject({ name: z.string() }) } },
          ({ body }) => body,
        );
        app.post('/bodiless', { config, schema }, () => ({ name: 'unused' }));
      },
    });

  test.each([
    ['missing', '{}', { field: 'name', code: 'required', message: 'is required' }],
    ['of another type', '{"name":5}', { field: 'name', code: 'invalid_value', message: /^must be a string$/ }],
    ['an operator', '{"name":{"$ne":null}}', { field: 'name', code: 'invalid_value', message: /^must be a string$/ }],
    [
      'half of a surrogate pair',
      String.raw`{"name":"\ud800"}`,
      { field: '<root>', code: 'invalid_value', message: /^\\ud800 is half of a surrogate pair/ },
    ],
    ['unknown', '{"name":"a","role":"admin"}', { field: 'role', code: 'invalid_value', message: /no such parameter/ }],
  ])('reports a field that is %s', async (_, body, { message, ...issue }) => {
    const { post } = await runEcho();
    const response = await post('/named', body);
    expect(response.status).toBe(400);
    expect(await issuesOf(response)).toMatchObject([{ ...issue, message: expect.stringMatching(message) }]);
  });

  test('a POST without a body does not violate the JSON rule, whatever its content type', async () => {
    const { post } = await runEcho();
    expect((await post('/bodiless', '', { 'content-type': 'text/plain' })).status).toBe(200);
    expect((await post('/bodiless', 'name=a', { 'content-type': 'text/plain' })).status).toBe(415);
    const missing = await post('/named', '', { 'content-type': 'text/plain' });
    expect(missing.status).toBe(400);
    expect(await issuesOf(missing)).toMatchObject([{ field: '<root>', code: 'required' }]);
  });
});

describe('health', () => {
  test('is alive, whatever the state of the components', async () => {
    const { url } = await runApp({ deps: { components: { clickhouse: () => 'down' } } });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test.each<[string, ComponentChecks, number, string]>([
    ['nothing to ask', {}, 200, 'ok'],
    ['all well', { clickhouse: () => 'ok' }, 200, 'ok'],
    ['one slow', { clickhouse: () => 'ok', kafka: () => Promise.resolve('degraded') }, 200, 'degraded'],
    ['one that never worked', { clickhouse: () => 'down', kafka: () => 'degraded' }, 503, 'down'],
    ['one that never answered', { clickhouse: () => Promise.reject(new Error('secret host')) }, 503, 'down'],
  ])('is ready with %s', async (_, components, status, state) => {
    const { url } = await runApp({ deps: { components } });
    const response = await fetch(`${url}/readyz`);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status: state });
  });
});

test('metrics count requests by route, not by path', async () => {
  const { get, post } = await runApp();
  await post('/api/events', '{}');
  await get('/some/made/up/address');
  const lines = async () => (await (await get('/metrics')).text()).split('\n');
  await expect
    .poll(async () => (await lines()).filter((line) => line.startsWith('trapline_http_request_duration_seconds_count')))
    .toEqual(
      expect.arrayContaining([
        'trapline_http_request_duration_seconds_count{method="POST",route="/api/events",status="200"} 1',
        'trapline_http_request_duration_seconds_count{method="GET",route="none",status="404"} 1',
      ]),
    );
  expect(await lines()).toContain('trapline_http_requests_in_flight 1');
});

describe('closing', () => {
  async function withRequestInFlight(options: Partial<AppOptions> = {}) {
    const release = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const { app, post, url } = await runApp({
      options,
      deps: {
        submitEvents: async ({ items }) => {
          arrived.resolve();
          await release.promise;
          return { accepted: items.length, rejected: [], rejectedTotal: 0 };
        },
      },
    });
    const answer = post('/api/events', '{}');
    await arrived.promise;
    return { app, url, answer, release: release.resolve };
  }

  test('completes requests in flight and accepts no others', async () => {
    const { app, url, answer, release } = await withRequestInFlight();
    const closed = app.close();
    await expect
      .poll(() =>
        fetch(`${url}/healthz`).then(
          () => 'answered',
          () => 'refused',
        ),
      )
      .toBe('refused');
    release();
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).toBe('close');
    await closed;
  });

  test('does not wait forever', async () => {
    const { app, answer, release } = await withRequestInFlight({ closeGraceMs: 50 });
    const cutOff = expect(answer).rejects.toThrow('fetch failed');
    await app.close();
    await cutOff;
    release();
  });
});
