import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKafkaAdmin } from '#ingest/kafka/admin.ts';
import { TOPICS } from '#schemas/topics.ts';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { startClickHouse } from '#test/support/services/clickhouse.ts';
import { startKafkaBroker } from '#test/support/services/kafka-broker.ts';
import { startPostgres } from '#test/support/services/postgres.ts';
import { startRedis } from '#test/support/services/redis.ts';
import type { Restartable } from '#test/support/services/restartable.ts';
import { startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { waitFor } from '#test/support/wait-for.ts';

/** One `trapline api` whose stores are frozen: connections stay open and nothing answers. Every request ends, and health says why. */

const [kafka, redis, postgres, clickhouse] = await Promise.all([
  startKafkaBroker(),
  startRedis(),
  startPostgres(),
  startClickHouse(),
]);
type Store = 'kafka' | 'redis' | 'postgres' | 'clickhouse';
const stores: Record<Store, Restartable> = { kafka, redis, postgres, clickhouse };
const EVENT =
  '{"version":"V1","timestamp":"2026-03-01T00:00:00Z","hostname":"h","event":{"type":"ConfigMismatch","key":"k","expected_value":"1","observed_value":"2"}}';

let api: TraplineProcess;
let url: string;
let operator: Record<string, string>;
let key: Record<string, string>;

beforeAll(async () => {
  const admin = createKafkaAdmin({ log: QUIET_LOG }, { brokers: kafka.brokers });
  await admin.ensureTopics([{ topic: TOPICS.events, partitions: 1 }]);
  await admin.close();
  api = await startTrapline(['api'], {
    KAFKA_BROKERS: kafka.brokers.join(','),
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_USER: clickhouse.user,
    CLICKHOUSE_PASSWORD: clickhouse.password,
    TRAPLINE_SUBMIT_TIMEOUT_MS: '2000',
  });
  url = (JSON.parse(await api.logged('api is running')) as { url: string }).url;
  operator = { 'x-api-key': (await readFile(path.join(api.dataDir, 'operator.key'), 'utf8')).trim() };
  const user = { email: 'ada@example.org', username: 'ada', password: 'otter-lamp-quarry-77', role: 'admin' };
  const { body: made } = await call('POST', '/api/admin/users', operator, user);
  const { body } = await call('POST', `/api/admin/users/${made.id}/api-keys`, operator, { label: 'test' });
  key = { 'x-api-key': body.apiKey };
});

afterAll(async () => {
  await api.endAll();
  await Promise.all(Object.values(stores).map((store) => store.stop()));
});

interface Answer {
  readonly id: string;
  readonly apiKey: string;
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
  readonly issues: readonly { readonly code: string; readonly message: string }[];
}

async function call(method: string, at: string, headers: Record<string, string>, body?: object | string) {
  const response = await fetch(url + at, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
    signal: AbortSignal.timeout(60_000),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as Answer,
  };
}

const submit = () => call('POST', '/api/events', operator, EVENT);
const health = async () => (await call('GET', '/api/health', {})).body;
const signIn = () =>
  call('POST', '/api/auth/callback/credentials', {}, { email: 'ada@example.org', password: 'otter-lamp-quarry-77' });

/** What each store is needed for. */
const NEEDS: Record<Store, () => ReturnType<typeof call>> = {
  kafka: submit,
  redis: signIn,
  postgres: () => call('GET', '/api/detections?limit=1', key),
  clickhouse: () => call('GET', '/api/events?limit=1', operator),
};

async function whileUnavailable(store: Store, away: () => Promise<void>, back: () => Promise<void>): Promise<void> {
  expect((await NEEDS[store]()).status).toBe(200);
  await away();
  try {
    await waitFor(`${store} to be missed`, async () => (await health()).checks[store] === 'down');
    const refused = await waitFor('a refusal', async () => {
      const answer = await NEEDS[store]();
      return answer.status === 200 ? undefined : answer;
    });
    expect(refused).toMatchObject({ status: 503, body: { issues: [{ code: 'unavailable' }] } });
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
  } finally {
    await back();
  }
  await waitFor('health', async () => (await health()).status === 'ok');
  await waitFor('an answer', async () => (await NEEDS[store]()).status === 200);
}

test.each(['kafka', 'redis', 'postgres', 'clickhouse'] as const)('%s is frozen', async (store) => {
  await whileUnavailable(store, stores[store].freeze, stores[store].thaw);
});

test('Kafka is dead: events are refused with nothing taken, until it is back', async () => {
  await whileUnavailable('kafka', kafka.kill9, async () => {
    expect((await submit()).body.issues[0]?.message).toContain('nothing was taken');
    await kafka.restart();
  });
});
