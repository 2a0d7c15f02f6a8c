import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterAll, expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { type ApiLogConfig, createApiLog } from '#api/telemetry/api-log/api-log.ts';
import { startStallingProxy } from '#test/support/services/stalling-proxy.ts';
import { useClickHouse } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { NOW_MS, requestRecord } from './request-records.ts';

const service = await useClickHouse();
const clickhouse = createClickHouse(service);
afterAll(() => clickhouse.close());
await migrate(clickhouse);
const logger = pino({ level: 'silent' });

function open(config: Partial<ApiLogConfig> = {}, to = clickhouse) {
  const registry = new Registry();
  const log = createApiLog({ clickhouse: to, registry, logger }, { process: 'test:1', ...config });
  const counted = async (result: string) => {
    const { values } = (await registry.getSingleMetric('trapline_api_log_records_total')?.get()) ?? { values: [] };
    return values.find(({ labels }) => labels.result === result)?.value ?? 0;
  };
  return { log, counted };
}

async function ids(prefix: string): Promise<string[]> {
  const rows = await clickhouse.rows<{ id: string }>(
    'read',
    `SELECT request_id AS id FROM ${clickhouse.table('api_requests')} WHERE startsWith(request_id, {prefix:String}) ORDER BY id`,
    { params: { prefix } },
  );
  return rows.map(({ id }) => id);
}

test('returns every column as it was recorded', async () => {
  const { log } = open();
  log.record(
    requestRecord({ requestId: 'whole-1', scraper: 'codehost-user', cache: 'hit', userId: 'u-1', keyId: null }),
  );
  await log.close();
  const [row] = await clickhouse.rows(
    'read',
    `SELECT * FROM ${clickhouse.table('api_requests')} WHERE request_id = 'whole-1'`,
  );
  expect(row).toEqual({
    time: new Date(NOW_MS).toISOString(),
    request_id: 'whole-1',
    method: 'GET',
    route: '/api/user/data',
    path: '/api/user/data',
    status: '200',
    duration_us: '1500',
    ip: '203.0.113.9',
    user_agent: 'curl/8',
    actor: 'user:u-1',
    user_id: 'u-1',
    key_id: '',
    bytes: '321',
    scraper: 'codehost-user',
    cache: 'hit',
    process: 'test:1',
  });
});

test('sends a batch when it is full, after a while, or at the end', async () => {
  const { log } = open({ batchRecords: 10, lingerMs: 50 });
  for (let i = 0; i < 10; i++) log.record(requestRecord({ requestId: `batch-${i}` }));
  await waitFor('the full batch', async () => (await ids('batch-')).length === 10);
  log.record(requestRecord({ requestId: 'batch-late' }));
  await waitFor('the single one', async () => (await ids('batch-')).length === 11);
  log.record(requestRecord({ requestId: 'batch-last' }));
  await log.close();
  expect(await ids('batch-')).toHaveLength(12);
});

test('queues records while ClickHouse is unavailable, drops those above the limit, and stores each once', async () => {
  const target = Number(new URL(service.url).port);
  const gone = await startStallingProxy(target);
  await gone.stop();
  const through = createClickHouse({ ...service, url: `http://127.0.0.1:${gone.port}` });
  const { log, counted } = open({ batchRecords: 5, maxWaiting: 20, lingerMs: 10, closeMs: 60_000 }, through);
  for (let i = 0; i < 30; i++) log.record(requestRecord({ requestId: `away-${i}` }));
  expect(await counted('dropped')).toBe(10);
  expect(await ids('away-')).toEqual([]);
  const back = await startStallingProxy(target, gone.port);
  try {
    await waitFor('all of them', async () => (await ids('away-')).length >= 20);
    await log.close();
    const kept = await ids('away-');
    expect(kept).toHaveLength(20);
    expect(new Set(kept).size).toBe(20);
    expect(await counted('written')).toBe(20);
  } finally {
    await through.close();
    await back.stop();
  }
});

test('repeats a batch after a lost acknowledgement, stored once', async () => {
  const proxy = await startProxyWithoutAnswers(Number(new URL(service.url).port));
  const through = createClickHouse({ ...service, url: `http://127.0.0.1:${proxy.port}`, requestTimeoutMs: 1_000 });
  const { log, counted } = open({ batchRecords: 3, closeMs: 60_000 }, through);
  try {
    for (let i = 0; i < 3; i++) log.record(requestRecord({ requestId: `lost-${i}` }));
    await waitFor('the rows', async () => (await ids('lost-')).length > 0);
    expect(await counted('written')).toBe(0);
    proxy.answer();
    await log.close();
    expect(proxy.connections()).toBeGreaterThan(1);
    expect(await ids('lost-')).toEqual(['lost-0', 'lost-1', 'lost-2']);
    expect(await counted('written')).toBe(3);
  } finally {
    await through.close();
    await proxy.stop();
  }
});

test('closing waits a limited time for an unavailable ClickHouse, and counts lost records', async () => {
  const nowhere = createClickHouse({ ...service, url: 'http://127.0.0.1:1' });
  const { log, counted } = open({ closeMs: 50 }, nowhere);
  log.record(requestRecord());
  log.record(requestRecord());
  await log.close();
  expect(await counted('dropped')).toBe(2);
  log.record(requestRecord());
  expect(await counted('dropped')).toBe(3);
  await nowhere.close();
});

/** Requests reach the server. Responses are dropped, except on connections opened after `answer`. */
async function startProxyWithoutAnswers(targetPort: number) {
  const sockets = new Set<Socket>();
  let connections = 0;
  let answering = false;
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const socket of [client, target]) sockets.add(socket.on('error', () => {}));
    client.pipe(target);
    connections += 1;
    if (answering) target.pipe(client);
    else target.resume();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    answer() {
      answering = true;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}
