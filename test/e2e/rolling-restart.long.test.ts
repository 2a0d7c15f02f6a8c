import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBalancer } from '#test/support/balancer.ts';
import { freePorts } from '#test/support/services/free-ports.mjs';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { useClickHouse, usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

/**
 * Tests two `api` processes behind a load balancer that routes to processes whose `/readyz` returns 200, as a
 * Kubernetes Service does.
 */

const CLIENTS = 4;
/**
 * Pause between two requests of a client, in milliseconds. Enough requests are sent in each drain period, and the load
 * on the machine stays low.
 */
const PAUSE_MS = 25;
/**
 * Number of requests until the test ends. The processes are restarted in turn until then. A long run sets thousands.
 */
const MIN_REQUESTS = Number(process.env.TEST_ROLLING_REQUESTS || 300);

const [clickhouse, postgres] = await Promise.all([useClickHouse(), usePostgres({ migrated: false })]);
let home: string;
let ports: number[];
const running = new Map<number, TraplineProcess>();

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'trapline-rolling-'));
  ports = await freePorts(2);
});
afterAll(async () => {
  await Promise.all([...running.values()].map((process) => process.endAll()));
  await removeHome(home);
});

test('a rolling restart with a drain period loses no request', async () => {
  await Promise.all(ports.map(startApi));
  const key = (await readFile(path.join(home, 'data', 'operator.key'), 'utf8')).trim();
  const balancer = await startBalancer(ports);
  const traffic = sendRequests(`${balancer.url}/api/detections?limit=1`, { 'x-api-key': key });
  try {
    do {
      for (const port of ports) {
        await waitFor('both processes in service', async () => balancer.ready().length === 2 || undefined);
        const served = traffic.sent();
        await running.get(port)?.stop(60_000);
        expect(traffic.sent()).toBeGreaterThan(served);
        await startApi(port);
      }
    } while (traffic.sent() < MIN_REQUESTS);
  } finally {
    await traffic.stop();
    await balancer.close();
  }
  expect(traffic.failures()).toEqual([]);
});

async function startApi(port: number): Promise<void> {
  const started = await startTrapline(['api'], {
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_USER: clickhouse.user,
    CLICKHOUSE_PASSWORD: clickhouse.password,
    CLICKHOUSE_DATABASE: clickhouse.database,
    TRAPLINE_DATA_DIR: path.join(home, 'data'),
    TRAPLINE_LIMIT_ADDRESS: '99999/1s',
    TRAPLINE_DRAIN_SECONDS: '3',
    PORT: String(port),
  });
  running.set(port, started);
  await started.logged('api is running');
}

/** Sends consecutive GET requests from several clients until `stop` is called. */
function sendRequests(url: string, headers: Readonly<Record<string, string>>) {
  let over = false;
  let sent = 0;
  const failures: string[] = [];
  const client = async (): Promise<void> => {
    while (!over) {
      sent++;
      const problem = await fetch(url, { headers }).then(
        async (response) => (response.ok ? undefined : `${response.status} ${await response.text()}`),
        (error: Error) => String(error.cause ?? error),
      );
      if (problem !== undefined) failures.push(problem);
      await delay(PAUSE_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    sent: () => sent,
    failures: () => failures,
    stop: async () => {
      over = true;
      await Promise.all(clients);
    },
  };
}
