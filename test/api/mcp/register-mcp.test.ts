import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import type { RequestRecord } from '#api/http/request-record.ts';
import { UNTRUSTED_NOTICE } from '#api/mcp/tool-answer.ts';
import { MCP_TOOLS } from '#api/mcp/tool-registry.ts';
import { accepted, callback, detection, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { type Description, examine } from '../description.ts';
import { addAccounts, analystsGuard, serviceDeps } from '../detections/triage/analysts.ts';
import { ADMIN_KEY, issuesOf, runApp } from '../running-app.ts';
import { INJECTION_NAMES } from './injection-names.ts';

const { clickhouse, store } = await useDatabase();
const { database } = await usePostgres();
await addAccounts(database);
const idOf = (number: number) => `det_${String(number).padStart(32, '0')}`;
await store.landDetections(
  INJECTION_NAMES.map((name, at) =>
    detection({ id: idOf(at), hostname: name.toWellFormed(), procname: name.toWellFormed().slice(0, 100) }),
  ),
);

/** Two events whose text together exceeds the maximum size of a result. */
const block = store.openEvents({ topic: 'large', partition: 0 }, Date.now());
for (const offset of [0, 1]) {
  const event = accepted(callback(offset), 'large-1', 1_772_323_200 + offset);
  const raw = Buffer.from(JSON.stringify({ ...event.event, more: 'x'.repeat(600_000) }));
  block.append({ offset, accepted: event, raw, ingestId: '' });
}
await store.landEvents(block, 1);

async function served(allowedOrigins?: readonly string[]) {
  const records: RequestRecord[] = [];
  const running = await runApp({
    deps: {
      clickhouse,
      guard: analystsGuard(),
      changes: serviceDeps(clickhouse, database),
      mcp: { allowedOrigins },
      requestSinks: [(record) => records.push(record)],
    },
  });
  return { ...running, records };
}

async function connected(url: string, key: string, mode: 'legacy' | 'auto' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

test.each(['legacy', 'auto'] as const)('a client of the protocol %s lists and calls tools', async (mode) => {
  const { url, records } = await served();
  const client = await connected(url, 'ann', mode);
  expect(client.getInstructions()).toContain(UNTRUSTED_NOTICE);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([...MCP_TOOLS.keys()]);
  const found = await client.callTool({ name: 'search_detections', arguments: { limit: 100 } });
  expect(found.structuredContent).toMatchObject({ notice: UNTRUSTED_NOTICE, status: 200 });
  const { data } = (found.structuredContent as { untrusted: { data: { id: string; hostname: string }[] } }).untrusted;
  expect(data).toHaveLength(INJECTION_NAMES.length);
  expect(data.find(({ id }) => id === idOf(30))?.hostname).toBe('\\u{202E}exe.nigol');
  expect((await client.listTools()).tools).toEqual(tools);
  const one = await client.callTool({ name: 'get_detection', arguments: { id: idOf(3) } });
  expect(one).toMatchObject({ structuredContent: { untrusted: { hostname: '</untrusted>', evidence: [] } } });
  // The calls passed through the routes with the key of the client.
  expect(records.filter(({ route }) => route === '/api/detections')).toMatchObject([{ actor: 'key:ann', status: 200 }]);
  expect(records.some(({ route, actor }) => route === '/mcp' && actor === 'key:ann')).toBe(true);
});

test.each(['legacy', 'auto'] as const)(
  'a client of the protocol %s may reach another process with each request',
  async (mode) => {
    const urls = [(await served()).url, (await served()).url];
    let requests = 0;
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const alternating: typeof fetch = (_url, init) => fetch(`${urls[requests++ % urls.length]}/mcp`, init);
    const requestInit = { headers: { authorization: 'Bearer ann' } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', urls[0]), { requestInit, fetch: alternating }),
    );
    onTestFinished(() => client.close());
    for (let at = 0; at < 3; at += 1)
      expect(await client.callTool({ name: 'list_hosts', arguments: {} })).toMatchObject({
        structuredContent: { status: 200 },
      });
    expect(requests).toBeGreaterThan(3);
  },
);

test('a call has the permissions of its key, and rejections are data', async () => {
  const { url } = await served();
  const client = await connected(url, 'reader');
  const refused = await client.callTool({ name: 'backtest_rule', arguments: { id: 'instruction-pointer-probe' } });
  expect(refused).toMatchObject({
    isError: true,
    structuredContent: { status: 403, untrusted: { issues: [{ code: 'forbidden' }] } },
  });
  const none = await client.callTool({ name: 'get_detection', arguments: { id: idOf(999) } });
  expect(none).toMatchObject({ isError: true, structuredContent: { status: 404 } });
  const path = await client.callTool({ name: 'get_event', arguments: { id: '../../api/admin/users?x=' } });
  expect(path).toMatchObject({ isError: true, structuredContent: { status: expect.toSatisfy((s) => s >= 400) } });
  const wrong = await client.callTool({ name: 'search_detections', arguments: { severity: 'worst' } });
  expect(wrong.isError).toBe(true);
});

test('a response that is too large ends the read with advice; a smaller page is returned', async () => {
  const { url } = await served();
  const client = await connected(url, 'reader');
  const call = (limit: number) => client.callTool({ name: 'search_events', arguments: { hostname: 'large-1', limit } });
  expect(await call(2)).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('fewer records') }] });
  expect(await call(1)).toMatchObject({ structuredContent: { status: 200 } });
});

test('a client that disconnects during a call does not affect the server', async () => {
  const { url } = await served();
  const gone = new AbortController();
  const call = { id: 1, method: 'tools/call', params: { name: 'list_hosts', arguments: {} } };
  const asked = Array.from({ length: 8 }, () => send(url, { authorization: 'Bearer ann' }, call, gone.signal));
  setImmediate(() => gone.abort());
  await Promise.allSettled(asked);
  expect((await send(url, { authorization: 'Bearer ann' }, call)).status).toBe(200);
});

test('an administrator back-tests a rule', async () => {
  const { url } = await served();
  const client = await connected(url, 'admin');
  const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
  const tested = await client.callTool({
    name: 'backtest_rule',
    arguments: { id: 'unmapped-jump', enabled: false, ...range },
  });
  expect(tested.structuredContent).toMatchObject({ untrusted: { complete: true, events: 0 } });
});

test.each([
  ['no key', {}, 401],
  ['a wrong key', { authorization: 'Bearer wrong' }, 401],
  ['a session alone', { cookie: 'trapline-session=x' }, 401],
  ['a page of another site', { authorization: 'Bearer ann', origin: 'https://attacker.example' }, 403],
  ['a sandboxed page', { authorization: 'Bearer ann', origin: 'null' }, 403],
  ['another content type', { authorization: 'Bearer ann', 'content-type': 'text/plain' }, 415],
])('rejects %s', async (_what, headers, status) => {
  const { url } = await served();
  expect((await send(url, headers)).status).toBe(status);
});

test('rejects a page that reaches the server by its own host name, but not a listed one', async () => {
  const origin = 'https://assistant.example.org';
  const { url } = await served();
  const { port } = new URL(url);
  const rebound = {
    authorization: 'Bearer ann',
    host: `rebound.example:${port}`,
    origin: `http://rebound.example:${port}`,
  };
  const refused = await send(url, rebound);
  expect(refused.status).toBe(403);
  expect((await issuesOf(refused))[0]?.message).toContain('ALLOWED_ORIGIN');
  expect((await send(url, { authorization: 'Bearer ann', origin: url })).status).toBe(200);
  const { url: listed } = await served([origin]);
  expect((await send(listed, { authorization: 'Bearer ann', origin })).status).toBe(200);
});

test('the route is described', async () => {
  const { url } = await served();
  const response = await fetch(`${url}/api/docs`, { headers: { 'x-admin-key': ADMIN_KEY } });
  const { names, wrong } = examine((await response.json()) as Description);
  expect(wrong).toEqual([]);
  expect(names).toContain('POST /mcp');
});

test('does not offer sessions, so that every process can answer every request', async () => {
  const { url } = await served();
  const response = await send(url, { authorization: 'Bearer ann' });
  expect(response.headers.get('mcp-session-id')).toBeNull();
  const opened = await fetch(`${url}/mcp`, { headers: { authorization: 'Bearer ann', accept: 'text/event-stream' } });
  expect(opened.status).toBe(405);
  expect(opened.headers.get('allow')).toBe('POST');
  const notified = await send(url, { authorization: 'Bearer ann' }, { method: 'notifications/initialized' });
  expect([notified.status, await notified.text()]).toEqual([202, '']);
});

function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  message?: object,
  signal: AbortSignal | null = null,
): Promise<Response> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const initialize = { id: 1, method: 'initialize', params };
  return fetch(`${url}/mcp`, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...(message ?? initialize) }),
  });
}
