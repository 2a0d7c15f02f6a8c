import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import { TOPICS } from '#schemas/topics.ts';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { startClickHouse } from '#test/support/services/clickhouse.ts';
import { documented } from '#test/support/services/code-host-api.ts';
import { startKafkaBroker } from '#test/support/services/kafka-broker.ts';
import { startPostgres } from '#test/support/services/postgres.ts';
import { startRedis } from '#test/support/services/redis.ts';
import type { Restartable } from '#test/support/services/restartable.ts';
import { startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { waitFor } from '#test/support/wait-for.ts';

/**
 * Tests one `trapline api` while its stores are killed or frozen and then recover. A frozen store keeps its connections
 * open and does not respond. The tests check which requests fail, which succeed, and that no restart is needed.
 */

const PASSWORD = 'otter-lamp-quarry-77';
const ADA = { email: 'ada@example.org', username: 'ada' };
/** The fields of responses that the tests read. */
interface Answer {
  readonly id: string;
  readonly apiKey: string;
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
  readonly issues: readonly { readonly code: string; readonly message: string }[];
}
type Store = 'kafka' | 'redis' | 'postgres' | 'clickhouse';
const EVENT = {
  version: 'V1',
  timestamp: '2026-03-01T00:00:00Z',
  hostname: 'h',
  event: { type: 'ConfigMismatch', key: 'k', expected_value: '1', observed_value: '2' },
};

const [kafka, redis, postgres, clickhouse] = await Promise.all([
  startKafkaBroker(),
  startRedis(),
  startPostgres(),
  startClickHouse(),
]);
const stores: Record<Store, Restartable> = { kafka, redis, postgres, clickhouse };
const codeHost = createServer(documented);
let api: TraplineProcess;
let url: string;
let operator: Record<string, string>;
let key: string;
let cookie: string;

beforeAll(async () => {
  codeHost.listen(0, '127.0.0.1');
  await once(codeHost, 'listening');
  const { port } = codeHost.address() as AddressInfo;
  const admin = createKafkaAdmin({ log: QUIET_LOG }, { brokers: kafka.brokers });
  await admin.ensureTopics([{ topic: TOPICS.events, partitions: 1 }]);
  await admin.close();
  api = await startTrapline(['api'], {
    KAFKA_BROKERS: kafka.brokers.join(','),
    TRAPLINE_SUBMIT_TIMEOUT_MS: '2000',
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_USER: clickhouse.user,
    CLICKHOUSE_PASSWORD: clickhouse.password,
    CODEHOST_URL: `http://127.0.0.1:${port}`,
    OUTBOUND_ALLOW: `127.0.0.1:${port}`,
  });
  url = (JSON.parse(await api.logged('api is running')) as { url: string }).url;
  operator = { 'x-api-key': (await readFile(path.join(api.dataDir, 'operator.key'), 'utf8')).trim() };
  const { body: user } = await call(
    'POST',
    '/api/admin/users',
    { ...ADA, password: PASSWORD, role: 'admin' },
    operator,
  );
  const made = await call('POST', `/api/admin/users/${user.id}/api-keys`, { label: 'test' }, operator);
  key = made.body.apiKey;
  const signedIn = await signIn();
  cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
});

afterAll(async () => {
  await api.endAll();
  codeHost.close();
  await Promise.all(Object.values(stores).map((store) => store.stop()));
});

async function call(method: string, at: string, body?: object, headers: Record<string, string> = {}) {
  const json = body && { 'content-type': 'application/json' };
  const response = await fetch(url + at, {
    method,
    headers: { ...json, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
}

const signIn = () => call('POST', '/api/auth/callback/credentials', { email: ADA.email, password: PASSWORD });
const scrape = () => call('GET', '/api/codehost/user?username=octocat', undefined, { 'x-api-key': key });
const profile = () => call('GET', '/api/user/data', undefined, { cookie });
const statistics = () => call('GET', '/api/stats/requests', undefined, { cookie });
const health = async () => (await call('GET', '/api/health')).body;
const ready = () => call('GET', '/readyz');

async function statuses() {
  const asked = { signIn, scrape, profile, statistics };
  return Object.fromEntries(
    await Promise.all(Object.entries(asked).map(async ([name, ask]) => [name, (await ask()).status] as const)),
  );
}

const submit = () => call('POST', '/api/events', EVENT, operator);
/** A request that needs the store. */
const NEEDS: Record<Store, () => ReturnType<typeof call>> = {
  kafka: submit,
  redis: signIn,
  postgres: () => call('GET', '/api/detections?limit=1', undefined, { 'x-api-key': key }),
  clickhouse: () => call('GET', '/api/events?limit=1', undefined, operator),
};

/** Kills a store, waits until the process has noticed, calls `look`, restarts the store, and waits for recovery. */
async function whileUnavailable(store: Store, look: () => Promise<void>): Promise<void> {
  expect(await statuses()).toEqual({ signIn: 200, scrape: 200, profile: 200, statistics: 200 });
  await stores[store].kill9();
  await waitFor(`${store} to be missed`, async () => (await health()).checks[store] === 'down');
  await look();
  await stores[store].restart();
  await waitFor('health', async () => (await health()).status === 'ok');
  expect(await statuses()).toEqual({ signIn: 200, scrape: 200, profile: 200, statistics: 200 });
  expect(await ready()).toMatchObject({ status: 200, body: { status: 'ok' } });
}

test('Redis unavailable: health is degraded, sign-in is rejected, scrapers and reads continue; recovers without a restart', async () => {
  await whileUnavailable('redis', async () => {
    expect(await health()).toMatchObject({ status: 'degraded', checks: { redis: 'down', postgres: 'ok' } });
    expect(await ready()).toMatchObject({ status: 200, body: { components: { redis: 'degraded' } } });
    expect(await statuses()).toEqual({ signIn: 503, scrape: 200, profile: 200, statistics: 200 });
    const refused = await signIn();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body).toMatchObject({ issues: [{ code: 'unavailable' }] });
  });
});

test('PostgreSQL unavailable: 503 for routes that need a caller, the others continue; recovers without a restart', async () => {
  await whileUnavailable('postgres', async () => {
    expect(await call('GET', '/api/health')).toMatchObject({
      status: 503,
      body: { status: 'down', checks: { postgres: 'down' } },
    });
    // Stays ready for the load balancer, because all other processes lack PostgreSQL too.
    expect(await ready()).toMatchObject({
      status: 200,
      body: { status: 'degraded', components: { postgres: 'down' } },
    });
    // The process caches API keys for at most a second.
    await waitFor('keys to be refused', async () => (await scrape()).status === 503, {
      everyMs: 200,
    });
    expect(await statuses()).toEqual({ signIn: 503, scrape: 503, profile: 503, statistics: 503 });
    expect((await call('GET', '/api/features')).status).toBe(200);
  });
});

test('ClickHouse unavailable: health is degraded, accounts and scrapers continue, reads of it are a 503; recovers without a restart', async () => {
  await whileUnavailable('clickhouse', async () => {
    expect(await call('GET', '/api/health')).toMatchObject({
      status: 200,
      body: { status: 'degraded', checks: { clickhouse: 'down', postgres: 'ok' } },
    });
    expect(await ready()).toMatchObject({ status: 200, body: { components: { clickhouse: 'degraded' } } });
    expect(await statuses()).toEqual({ signIn: 200, scrape: 200, profile: 200, statistics: 503 });
  });
});

/** Checks that every request ends, health reports the store, and the process stays ready. Then waits for recovery. */
async function whileSilent(store: Store, silence: () => Promise<void>, back: () => Promise<void>): Promise<void> {
  expect((await NEEDS[store]()).status).toBe(200);
  await silence();
  try {
    await waitFor(`${store} to be missed`, async () => (await health()).checks[store] === 'down');
    const refused = await waitFor('a refusal', async () => {
      const answer = await NEEDS[store]();
      return answer.status === 200 ? undefined : answer;
    });
    expect(refused).toMatchObject({ status: 503, body: { issues: [{ code: 'unavailable' }] } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ready()).status).toBe(200);
  } finally {
    await back();
  }
  await waitFor('health', async () => (await health()).status === 'ok');
  await waitFor('an answer', async () => (await NEEDS[store]()).status === 200);
}

test.each(['kafka', 'redis', 'postgres', 'clickhouse'] as const)('%s is frozen', async (store) => {
  await whileSilent(store, stores[store].freeze, stores[store].thaw);
});

test('Kafka unavailable: rejects events without accepting any, until it is back', async () => {
  await whileSilent('kafka', kafka.kill9, async () => {
    expect((await submit()).body.issues[0]?.message).toContain('nothing was accepted');
    await kafka.restart();
  });
});
