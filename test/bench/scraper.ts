import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createDatabase } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { startPostgres } from '../support/services/postgres.ts';
import { startRedis } from '../support/services/redis.ts';
import { API_OPTIONS } from './as-program.ts';
import { ask, startAsked } from './asked-process.ts';
import type { BenchContext } from './context.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { type HttpLoadResult, loadHttp } from './http-load.ts';
import { cpuSeconds } from './processes.ts';
import { type BenchRow, boundRow, ratioRow } from './row.ts';
import type { ScraperAnswer, ScraperTask } from './scraper-process.ts';
import { median, percentile } from './statistics.ts';

const PROCESS = fileURLToPath(new URL('scraper-process.ts', import.meta.url));
/** Consecutive requests of one address, whose rate limit is 100 a minute. */
const REQUESTS_OF_AN_ADDRESS = 90;
/** Enough connections that the server is always busy, also while requests wait for the rate limits in Redis. */
const CONNECTIONS = 64;
const CALM_CONNECTIONS = 32;
/** Many short turns, so that both sides run under the same conditions of the machine. */
const TURN_MS = 500;
const TURNS_OF_A_ROUND = 6;
const WARM_UP_MS = 2_000;
const CALM_TURN_MS = 3_000;
/** A load far below the capacity, so that latencies show the cost of a step and not of a queue. */
const CALM_PER_SECOND = 500;

/**
 * Measures an authenticated scraper call from the cache, against the same route without any of our steps. The sides
 * alternate.
 */
export async function benchScraper({
  clickHouse,
  rounds,
}: Pick<BenchContext, 'clickHouse' | 'rounds'>): Promise<BenchRow[]> {
  const [postgres, redis, codeHost] = await Promise.all([startPostgres(), startRedis(), startCodeHost()]);
  try {
    await migrate(postgres.url);
    return await withFreshDatabase(clickHouse, async ({ database }) => {
      const child = startAsked(PROCESS, API_OPTIONS);
      try {
        const codeHostUrl = `http://127.0.0.1:${(codeHost.address() as AddressInfo).port}`;
        const stores = { postgresUrl: postgres.url, redisUrl: redis.url, clickHouse: { ...clickHouse, database } };
        const task: ScraperTask = { ...stores, codeHostUrl };
        const served = await ask<ScraperAnswer>(child, task);
        return await measure(served, rounds, () => cpuSeconds(child.pid));
      } finally {
        child.kill('SIGKILL');
      }
    });
  } finally {
    codeHost.close();
    await Promise.all([postgres.stop(), redis.stop()]);
  }
}

async function measure(
  { port, barePort, apiKey }: ScraperAnswer,
  rounds: number,
  cpu: () => number,
): Promise<BenchRow[]> {
  let clients = 0;
  const lanes = Array.from({ length: CONNECTIONS }, () => ({ client: 0, left: 0 }));
  const request = (connection: number) => {
    const lane = lanes[connection] as (typeof lanes)[number];
    if (lane.left-- === 0) Object.assign(lane, { client: clients++, left: REQUESTS_OF_AN_ADDRESS - 1 });
    const address = `10.${lane.client >> 16}.${(lane.client >> 8) & 255}.${lane.client & 255}`;
    return `GET /api/codehost/user?username=octocat HTTP/1.1\r\nhost: bench\r\nx-forwarded-for: ${address}\r\nx-api-key: ${apiKey}\r\n\r\n`;
  };
  const ports = { ours: port, bare: barePort };
  const rates = { ours: [] as number[], bare: [] as number[] };
  const costs = { ours: [] as number[], bare: [] as number[] };
  const delays = { ours: [] as number[], bare: [] as number[] };
  const load = (side: 'ours' | 'bare', durationMs: number, perSecond?: number): Promise<HttpLoadResult> =>
    loadHttp({
      port: ports[side],
      request,
      connections: perSecond === undefined ? CONNECTIONS : CALM_CONNECTIONS,
      durationMs,
      ...(perSecond ? { perSecond } : {}),
    });
  for (const side of ['ours', 'bare'] as const) await load(side, WARM_UP_MS);
  for (let turn = 0; turn < rounds * TURNS_OF_A_ROUND; turn += 1) {
    for (const side of ['bare', 'ours'] as const) {
      const before = cpu();
      const { perSecond, latencies } = await load(side, TURN_MS);
      rates[side].push(perSecond);
      costs[side].push(((cpu() - before) / latencies.length) * 1e6);
    }
  }
  for (let turn = 0; turn < rounds * TURNS_OF_A_ROUND; turn += 1) {
    for (const side of ['bare', 'ours'] as const)
      delays[side].push(percentile((await load(side, CALM_TURN_MS, CALM_PER_SECOND)).latencies, 0.99));
  }
  const added = median(delays.ours) - median(delays.bare);
  return [
    {
      ...ratioRow('scraper: cached call with a key', 'requests/s', median(rates.ours), median(rates.bare), 0.5),
      details: [
        `processor time of a request: ${Math.round(median(costs.ours))} µs; bare: ${Math.round(median(costs.bare))} µs`,
      ],
    },
    {
      ...boundRow(`scraper: p99 that our steps add at ${CALM_PER_SECOND} requests/s`, 'ms', added, 2),
      details: [`p99 of ours: ${shown(delays.ours)} ms; bare: ${shown(delays.bare)} ms`],
    },
  ];
}

/** Starts a server that answers every request with the user octocat. */
async function startCodeHost() {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ login: 'octocat', id: 1, name: 'monalisa octocat', public_repos: 2, followers: 20 }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function migrate(url: string): Promise<void> {
  const database = createDatabase({ url });
  try {
    await migrateDatabase(database);
  } finally {
    await database.destroy();
  }
}

function shown(values: readonly number[]): string {
  return values.map((value) => value.toFixed(2)).join(', ');
}
