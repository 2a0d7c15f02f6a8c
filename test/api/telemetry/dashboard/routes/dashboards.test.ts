import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertRows } from '#analytics/clickhouse/insert-rows.ts';
import { type ApiRequestRow, apiRequestsTable } from '#analytics/clickhouse/tables/api-requests.ts';
import { createSessions } from '#api/accounts/sessions/sessions.ts';
import { createExecutions } from '#api/executions/engine/executions.ts';
import { executionsDashboard } from '#api/executions/routes/dashboard.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import { dashboardRoutes } from '#api/telemetry/dashboard/routes/routes.ts';
import { createSystemSamples } from '#api/telemetry/dashboard/system-samples.ts';
import { statsRoutes } from '#api/telemetry/routes/stats.ts';
import { detection, landRange, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { OPERATOR_KEY, operatorGuard, runApp } from '#test/api/running-app.ts';
import { randomName, usePostgres } from '#test/support/use-services.ts';

const { clickhouse, store } = await useDatabase();
const { database } = await usePostgres();
const samples = createSystemSamples();
afterAll(() => samples.close());
const sessions = createSessions({ database }, { secrets: ['s'.repeat(32)] });
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const now = Date.now();

const row = (over: Partial<ApiRequestRow> = {}): ApiRequestRow => ({
  timeMs: now,
  requestId: 'request-1',
  method: 'GET',
  route: '/api/codehost/user',
  path: '/api/codehost/user',
  status: 200,
  durationUs: 2_000,
  ip: '203.0.113.9',
  userAgent: 'curl/8',
  actor: 'anonymous',
  userId: '',
  keyId: '',
  bytes: 100,
  scraper: null,
  cache: null,
  process: 'test',
  ...over,
});

async function signIn(role: 'user' | 'analyst' | 'admin') {
  const name = randomName('user');
  const user = await database
    .insertInto('users')
    .values({ username: name, email: `${name}@example.org`, passwordHash: null, role })
    .returning(['id', 'role'])
    .executeTakeFirstOrThrow();
  const { token } = await sessions.open(database, user, { ip: '127.0.0.1', userAgent: 't', requestId: 'r' });
  return { id: user.id, cookie: `trapline-session=${token}` };
}

async function serve() {
  const { url } = await runApp({
    deps: { clickhouse, guard: { ...operatorGuard(), authenticateSession: sessions.authenticate } },
    prepare(app) {
      statsRoutes(app, { clickhouse });
      dashboardRoutes(app, { clickhouse, database, samples });
      executionsDashboard(app, { database });
    },
  });
  return async (path: string, headers: Record<string, string> = { 'x-api-key': OPERATOR_KEY }) => {
    const response = await fetch(url + path, { headers });
    return { status: response.status, body: (await response.json()) as never };
  };
}

describe('own requests', () => {
  test('are counted by hour, with totals, for this user only', async () => {
    const [mine, others] = [await signIn('user'), await signIn('user')];
    await insertRows(clickhouse, apiRequestsTable, [
      row({ userId: mine.id, timeMs: now }),
      row({ userId: mine.id, timeMs: now - HOUR, status: 404 }),
      row({ userId: mine.id, timeMs: now - HOUR, keyId: 'k' }),
      row({ userId: mine.id, timeMs: now - 25 * HOUR }),
      row({ userId: others.id, timeMs: now }),
    ]);
    const get = await serve();
    const hourOf = (ms: number) => new Date(Math.floor(ms / HOUR) * HOUR).toISOString();
    const asked = hourOf(Date.now());
    const { status, body } = await get('/api/stats/requests', { cookie: mine.cookie });
    expect(status).toBe(200);
    const { hours, total, errors } = body as { hours: { hour: string; requests: number; errors: number }[] } & Record<
      'total' | 'errors',
      number
    >;
    expect(hours).toHaveLength(24);
    // A new hour may have begun since the requests, and another one since the query.
    expect([asked, hourOf(Date.now())]).toContain(hours.at(-1)?.hour);
    const [before, during] = [hourOf(now - HOUR), hourOf(now)];
    expect(hours.filter(({ requests }) => requests > 0)).toEqual([
      { hour: before, requests: 2, errors: 1 },
      { hour: during, requests: 1, errors: 0 },
    ]);
    expect([total, errors]).toEqual([3, 1]);
  });

  test('of a user without requests are 24 empty hours', async () => {
    const { cookie } = await signIn('analyst');
    const get = await serve();
    expect((await get('/api/stats/requests', { cookie })).body).toMatchObject({ total: 0, errors: 0 });
  });

  test('require a session', async () => {
    const get = await serve();
    expect((await get('/api/stats/requests', {})).status).toBe(401);
  });
});

describe('dashboards', () => {
  const NAMES = ['system', 'requests', 'pipeline', 'queue', 'ips', 'executions'];
  // Excludes the records of the other tests.
  const from = now - 50 * HOUR;
  const range = `from=${new Date(from).toISOString()}&to=${new Date(from + HOUR).toISOString()}`;

  beforeAll(async () => {
    await insertRows(clickhouse, apiRequestsTable, [
      ...Array.from({ length: 100 }, (_, i) => row({ timeMs: from + 5 * MINUTE, durationUs: (i + 1) * 1_000 })),
      row({ timeMs: from + 10 * MINUTE, status: 404, ip: '198.51.100.1', route: 'none' }),
      row({ timeMs: from + 10 * MINUTE, status: 429, ip: '198.51.100.1', userId: 'u-1' }),
      row({ timeMs: from + 10 * MINUTE, status: 503, ip: '198.51.100.1', userId: 'u-2' }),
    ]);
  });

  test.each(NAMES)('%s requires an administrator', async (name) => {
    const get = await serve();
    for (const role of ['user', 'analyst'] as const) {
      expect((await get(`/api/dashboard/${name}`, { cookie: (await signIn(role)).cookie })).status).toBe(403);
    }
    expect((await get(`/api/dashboard/${name}`, {})).status).toBe(401);
    expect((await get(`/api/dashboard/${name}`, { cookie: (await signIn('admin')).cookie })).status).toBe(200);
  });

  test.each(NAMES)('%s rejects an invalid range', async (name) => {
    const get = await serve();
    expect((await get(`/api/dashboard/${name}?from=2026-13-01T00:00:00Z`)).status).toBe(400);
    expect((await get(`/api/dashboard/${name}?nonsense=1`)).status).toBe(400);
  });

  test('requests over time', async () => {
    const get = await serve();
    const { body } = await get(`/api/dashboard/requests?${range}`);
    const { series, routes, ...totals } = body as {
      series: { at: string; requests: number }[];
      routes: object[];
    };
    expect(totals).toMatchObject({ stepSeconds: 60, total: 103, errors: 3 });
    expect(series.length).toBeGreaterThanOrEqual(60);
    expect(series.filter(({ requests }) => requests > 0)).toEqual([
      expect.objectContaining({ requests: 100, clientErrors: 0, serverErrors: 0, p50Ms: expect.closeTo(50.5, 0) }),
      expect.objectContaining({ requests: 3, clientErrors: 2, serverErrors: 1 }),
    ]);
    expect(series.find(({ requests }) => requests === 0)).toMatchObject({ p50Ms: null, p95Ms: null, p99Ms: null });
    expect(routes[0]).toMatchObject({ method: 'GET', route: '/api/codehost/user', requests: 102, errors: 2 });
    expect(routes[1]).toMatchObject({ route: 'none', requests: 1, errors: 1 });
  });

  test('addresses', async () => {
    const get = await serve();
    const { body } = await get(`/api/dashboard/ips?${range}`);
    expect((body as { addresses: object[] }).addresses).toEqual([
      expect.objectContaining({ ip: '203.0.113.9', requests: 100, errors: 0, limited: 0, users: 0 }),
      expect.objectContaining({
        ip: '198.51.100.1',
        requests: 3,
        errors: 3,
        limited: 1,
        users: 2,
        firstAt: new Date(from + 10 * MINUTE).toISOString(),
      }),
    ]);
  });

  test('the pipeline', async () => {
    await landRange(store, { topic: randomName('topic'), partition: 0 }, 0, 9, -1);
    await store.landDetections([detection(), { ...detection(), revision: 2 }]);
    const get = await serve();
    const { body } = await get('/api/dashboard/pipeline');
    const { totals, series, rules } = body as {
      totals: object;
      series: { events: number; detections: number }[];
      rules: object[];
    };
    expect(totals).toEqual({ events: 10, deadLetters: 0, detections: 1 });
    expect(series.reduce((sum, { events }) => sum + events, 0)).toBe(10);
    expect(rules).toEqual([{ rule: 'instruction-pointer-probe', severity: 'high', detections: 1 }]);
  });

  test('queues', async () => {
    const insert = (queue: string, state: string) =>
      sql`INSERT INTO jobs (queue, payload, state, finished_at, lease_until)
          VALUES (${queue}, '{}', ${state}, ${state === 'waiting' ? null : sql`now()`}, NULL)`.execute(database);
    await insert('mail', 'waiting');
    await insert('mail', 'done');
    await insert('retention', 'failed');
    const get = await serve();
    const queue = (await get('/api/dashboard/queue')).body as { queues: object[]; series: Record<string, number>[] };
    expect(queue.queues).toMatchObject([
      { queue: 'mail', ready: 1, done: 1 },
      { queue: 'retention', failed: 1 },
    ]);
    const sum = (name: string) => queue.series.reduce((all, bucket) => all + (bucket[name] ?? 0), 0);
    expect([sum('started'), sum('done'), sum('failed')]).toEqual([3, 1, 1]);
  });

  test('executions, by kind and outcome', async () => {
    const logger = pino({ level: 'silent' });
    const executions = createExecutions({ database, logger, wakeUp: createWakeUp({ database, logger }) });
    const accept = async (kind: 'workflow' | 'agent') => {
      const of = kind === 'workflow' ? { workflowId: 'wf_1', versionId: 'wfh_1' } : { agentId: 'awf_1' };
      const accepted = await executions.accept({ kind, ownerId: null, triggerType: 'api', ...of });
      if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
      return accepted.id;
    };
    await executions.cancel(await accept('workflow'));
    await accept('workflow');
    await accept('agent');
    const get = await serve();
    const { kinds } = (await get('/api/dashboard/executions')).body as {
      kinds: { kind: string; series: Record<string, number>[] }[];
    };
    const sums = kinds.map(({ kind, series }) => [
      kind,
      ...['accepted', 'completed', 'failed', 'cancelled'].map((name) =>
        series.reduce((all, bucket) => all + (bucket[name] ?? 0), 0),
      ),
    ]);
    expect(sums).toEqual([
      ['workflow', 2, 0, 0, 1],
      ['agent', 1, 0, 0, 0],
    ]);
  });

  test('the process', async () => {
    const get = await serve();
    const { body } = await get('/api/dashboard/system');
    expect(body).toMatchObject({
      uptimeSeconds: expect.any(Number),
      series: expect.arrayContaining([
        expect.objectContaining({ memoryBytes: expect.any(Number), cpuPercent: expect.any(Number) }),
      ]),
    });
  });
});
