import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { type Mailbox, startMailbox } from '#test/support/services/mailbox.ts';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { randomName, useClickHouse, usePostgres, useRedis } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { type Description, examine } from '../api/description.ts';

/**
 * Tests two `trapline api` processes and a `trapline worker` on PostgreSQL, Redis, ClickHouse and a mail server, as in
 * a cluster.
 */

const [clickhouseService, postgres, redis] = await Promise.all([
  useClickHouse({ migrated: false }),
  usePostgres({ migrated: false }),
  useRedis(),
]);
const ADMIN_KEY = randomName('admin-key-of-this-run-0123456789');
const ORIGIN = 'https://trapline.example.org';
const PASSWORD = 'correct horse battery staple 7';

let home: string;
let mailbox: Mailbox;
let upstream: { url: string; calls: string[]; stop(): void };
let one: string;
let two: string;
let operatorKey: string;
const running: TraplineProcess[] = [];

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'trapline-platform-'));
  mailbox = await startMailbox();
  upstream = await startUpstream();
  // All rate limits in a Redis database share one key prefix, so this test uses a database of its own.
  const redisUrl = `${redis.url}/9`;
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: postgres.url,
    REDIS_URL: redisUrl,
    CLICKHOUSE_URL: clickhouseService.url,
    CLICKHOUSE_USER: clickhouseService.user,
    CLICKHOUSE_PASSWORD: clickhouseService.password,
    CLICKHOUSE_DATABASE: clickhouseService.database,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Trapline <codes@example.org>',
    AUTH_SECRET: randomName('auth-secret-of-this-run-01234567'),
    JWT_SECRET: randomName('jwt-secret-of-this-run-012345678'),
    ADMIN_KEY,
    AUTH_URL: ORIGIN,
    ALLOWED_ORIGIN: ORIGIN,
    REGISTRATION: 'open',
    CODEHOST_URL: upstream.url,
    OUTBOUND_ALLOW: new URL(upstream.url).host,
    SIEM_AUDIT_PATH: path.join(home, 'siem.ndjson'),
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const [first, second, worker] = await Promise.all([
    startTrapline(['api'], { ...env, TRAPLINE_DATA_DIR: path.join(home, 'one') }),
    startTrapline(['api'], { ...env, TRAPLINE_DATA_DIR: path.join(home, 'two') }),
    startTrapline(['worker'], { ...env, TRAPLINE_DATA_DIR: path.join(home, 'three') }),
  ]);
  running.push(first, second, worker);
  one = urlIn(await first.logged('api is running'));
  two = urlIn(await second.logged('api is running'));
  await worker.logged('worker is running');
  operatorKey = (await readFile(path.join(home, 'one', 'operator.key'), 'utf8')).trim();
});

afterAll(async () => {
  await Promise.all(running.map((process) => process.endAll()));
  await mailbox.stop();
  upstream.stop();
  await removeHome(home);
});

const urlIn = (line: string): string => (JSON.parse(line) as { url: string }).url;

/** Starts a stand-in for an external service: the endpoints of a code host's REST API that the test uses. */
async function startUpstream() {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        login: 'octocat',
        id: 1,
        name: 'The Octocat',
        company: null,
        blog: null,
        location: null,
        bio: null,
        email: null,
        public_repos: 8,
        public_gists: 0,
        followers: 1,
        following: 0,
        created_at: '2011-01-25T18:44:36Z',
        updated_at: '2026-01-25T18:44:36Z',
        html_url: 'https://code.example/octocat',
        avatar_url: 'https://code.example/octocat.png',
        type: 'User',
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, calls, stop: () => void server.close() };
}

/** Each person of a test has a separate client address, which the reverse proxy reports. */
let lastAddress = 0;
const newAddress = () => `198.51.100.${++lastAddress}`;

function client(base: string, address = newAddress()) {
  let cookie = '';
  return async (method: string, route: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(base + route, {
      method,
      headers: {
        'x-forwarded-for': address,
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) cookie = set.split(';')[0] ?? '';
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : {},
    };
  };
}

async function register(base: string, username: string) {
  const call = client(base);
  const email = `${username}@example.org`;
  expect((await call('POST', '/api/auth/send-otp', { email })).status).toBe(200);
  const otp = await mailbox.find(email, /\b(\d{6})\b/);
  const answer = await call('POST', '/api/auth/verify-otp', { username, email, password: PASSWORD, otp });
  expect(answer.status).toBe(201);
  return { call, email, otp, apiKey: answer.body.apiKey as string, userId: answer.body.user.id as string };
}

async function signIn(base: string, email: string) {
  const call = client(base);
  expect((await call('POST', '/api/auth/callback/credentials', { email, password: PASSWORD })).status).toBe(200);
  return call;
}

test('a developer registers with a mailed code, gets a key and calls a scraper in every process', async () => {
  const { apiKey, userId } = await register(one, 'ada');
  const first = await client(one)('GET', '/api/codehost/user?username=octocat', undefined, { 'x-api-key': apiKey });
  expect(first).toMatchObject({ status: 200, body: { cached: false } });
  const second = await client(two)('GET', '/api/codehost/user?username=octocat', undefined, {
    authorization: `Bearer ${apiKey}`,
  });
  expect(second).toMatchObject({ status: 200, body: { cached: true, data: first.body.data } });
  expect(upstream.calls).toEqual(['/users/octocat']);

  // The administrator sees the registration and the calls.
  const audit = await client(two)('GET', `/api/admin/audit-log?target=user:${userId}`, undefined, {
    'x-api-key': operatorKey,
  });
  expect(audit.status).toBe(401); // this operator key belongs to the other process's machine
  const operator = await client(one)('GET', `/api/admin/audit-log?target=user:${userId}`, undefined, {
    'x-api-key': operatorKey,
  });
  expect(operator.body.data.map(({ action }: { action: string }) => action)).toContain('user.register');
  const metrics = await client(one)('GET', '/api/prometheus', undefined, { 'x-admin-key': ADMIN_KEY });
  expect(metrics.text).toMatch(
    /trapline_http_request_duration_seconds_count\{method="GET",route="\/api\/codehost\/user",status="200"\} [1-9]/,
  );
  const siem = await waitFor('the call in the SIEM file', async () => {
    const lines = (await readFile(path.join(home, 'siem.ndjson'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return lines.some(({ _type, url }) => _type === 'apilog' && url?.path === '/api/codehost/user') ? lines : undefined;
  });
  expect(siem.some(({ _type, event }) => _type === 'audit' && event.action === 'user.register')).toBe(true);
  const clickhouse = createClickHouse(clickhouseService);
  await waitFor('the call in ClickHouse', async () => {
    const rows = await clickhouse.rows(
      'find the call',
      `SELECT route FROM ${clickhouse.table('api_requests')} WHERE route = '/api/codehost/user'`,
    );
    return rows.length === 2;
  });
  await clickhouse.close();
});

test('of 500 concurrent requests from one address to two processes exactly 100 pass, and the address is blocked', async () => {
  const address = newAddress();
  const { apiKey } = await register(two, 'burst');
  const callFrom = (base: string, from?: string) =>
    client(base, from)('GET', '/api/codehost/user?username=octocat', undefined, { 'x-api-key': apiKey });
  // Caches the key and the response in both processes first, so that only the rate limit affects the calls below.
  for (const base of [one, two]) expect((await callFrom(base)).status).toBe(200);
  const calls = Array.from({ length: 500 }, (_, at) => callFrom(at % 2 ? one : two, address));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  const counts = Object.entries(Object.groupBy(statuses, String)).map(([status, all]) => [status, all?.length]);
  expect(counts).toEqual([
    ['200', 100],
    ['429', 400],
  ]);
  const later = await client(one, address)('GET', '/api/auth/providers');
  expect(later.status).toBe(429);
  // The block lasts five minutes, minus the time of the burst. The window of the exceeded limit lasts only one minute.
  expect(Number(later.headers.get('retry-after'))).toBeGreaterThan(180);
  expect((await client(one, address)('GET', '/api/health')).status).toBe(200);
});

describe('revocation in one process applies to the other', () => {
  test('a key', async () => {
    const { apiKey } = await register(one, 'revoked');
    const session = await signIn(one, 'revoked@example.org');
    const use = () => client(two)('GET', '/api/codehost/user?username=octocat', undefined, { 'x-api-key': apiKey });
    expect((await use()).status).toBe(200);
    const [{ keyId }] = (await session('GET', '/api/user/api-keys')).body.data;
    expect((await session('DELETE', `/api/user/api-keys/${keyId}`)).status).toBe(204);
    await waitFor('the key to be refused', async () => (await use()).status === 401);
  });

  test('a session, immediately', async () => {
    await register(two, 'leaving');
    const session = await signIn(one, 'leaving@example.org');
    expect((await session('GET', '/api/user/data')).status).toBe(200);
    expect((await session('POST', '/api/auth/sign-out')).status).toBe(204);
    const elsewhere = await signIn(two, 'leaving@example.org');
    expect((await elsewhere('GET', '/api/user/data')).body).toMatchObject({ username: 'leaving', role: 'user' });
    const { userId } = (
      await client(one)('GET', '/api/admin/users?q=leaving', undefined, { 'x-api-key': operatorKey })
    ).body.data.map(({ id }: { id: string }) => ({ userId: id }))[0];
    await client(one)('POST', `/api/admin/users/${userId}/disable`, undefined, { 'x-api-key': operatorKey });
    expect((await elsewhere('GET', '/api/user/data')).status).toBe(401);
  });
});

test('a forgotten password is reset once with the mailed link, which ends sessions', async () => {
  const { call, email } = await register(one, 'forgetful');
  const session = await signIn(two, email);
  expect((await call('POST', '/api/auth/forgot-password', { email })).status).toBe(200);
  const token = await mailbox.find(email, /reset-password\?token=([\w-]+)/);
  const reset = () => call('POST', '/api/auth/reset-password', { token, password: `${PASSWORD} and more` });
  expect((await reset()).status).toBe(200);
  expect((await reset()).status).toBe(400);
  expect((await session('GET', '/api/user/data')).status).toBe(401);
});

test('no log, SIEM file, audit log or API log contains a secret', async () => {
  const { call, apiKey, otp, email } = await register(one, 'secretive');
  await call('POST', '/api/auth/callback/credentials', { email, password: `${PASSWORD} wrong` });
  const session = await signIn(two, email);
  const made = await session('POST', '/api/user/api-keys', { label: 'second' });
  await client(one)('GET', '/api/codehost/user?username=secret-query-value', undefined, {
    'x-api-key': made.body.apiKey,
  });
  await client(one)('GET', '/api/uploads?filename=../secret-file-name', undefined, { 'x-api-key': apiKey });
  const literals = [
    PASSWORD,
    otp,
    apiKey.split('.')[1],
    made.body.apiKey.split('.')[1],
    ADMIN_KEY,
    operatorKey,
    'secret-file-name',
  ];
  await waitFor('the last call in the SIEM file', async () =>
    (await readFile(path.join(home, 'siem.ndjson'), 'utf8')).includes('/api/uploads'),
  );
  const clickhouse = createClickHouse(clickhouseService);
  const rows = await waitFor('the last call in ClickHouse', async () => {
    const found = await clickhouse.rows('read the API log', `SELECT * FROM ${clickhouse.table('api_requests')}`);
    return JSON.stringify(found).includes('/api/uploads') ? found : undefined;
  });
  await clickhouse.close();
  const audit = await postgres.database.selectFrom('auditLog').selectAll().execute();
  const jobs = await postgres.database.selectFrom('jobs').selectAll().execute();
  const places = {
    siem: await readFile(path.join(home, 'siem.ndjson'), 'utf8'),
    logs: (await Promise.all(running.map((process) => process.log()))).join('\n'),
    clickhouse: JSON.stringify(rows),
    audit: JSON.stringify(audit),
    jobs: JSON.stringify(jobs),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(100);
    for (const literal of literals) expect(text.includes(String(literal)), `${literal} in ${place}`).toBe(false);
  }
});

test('every route of the product describes its purpose, access and responses', async () => {
  const { body } = await client(one)('GET', '/api/docs', undefined, { 'x-admin-key': ADMIN_KEY });
  const { names, wrong } = examine(body as Description);
  expect(wrong).toEqual([]);
  expect(names).toContain('POST /api/auth/verify-otp');
});

test('a process that gets a stop signal completes its work and exits with 0', async () => {
  const [, second] = running;
  const answers = Promise.all(
    Array.from({ length: 20 }, () =>
      client(two)('GET', '/api/features').then(
        ({ status }) => status,
        () => 0,
      ),
    ),
  );
  await second?.signal('SIGTERM');
  expect(await second?.exited).toBe(0);
  expect((await answers).every((status) => [200, 503, 0].includes(status))).toBe(true);
});
