import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { fileURLToPath } from 'node:url';
import { insertUser } from '#api/accounts/tables/users.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { startPostgres } from '../support/services/postgres.ts';
import { startRedis } from '../support/services/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { API_OPTIONS } from './as-program.ts';
import { ask as askProcess, startAsked } from './asked-process.ts';
import { loadHttp } from './http-load.ts';
import type { KeysAnswer, KeysTask } from './keys-process.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median, percentile } from './statistics.ts';

const PROCESS = fileURLToPath(new URL('keys-process.ts', import.meta.url));
const COLD_ONE_BY_ONE = 30;
const COLD_AT_ONCE = 200;
const OTHERS_PER_SECOND = 200;
const OTHERS_CONNECTIONS = 8;
const REVOCATIONS = 20;

interface Key {
  readonly apiKey: string;
  readonly keyId: string;
}

/**
 * Measures the first use of an API key, the delay of other requests while many keys are used for the first time, and
 * the time until a revoked key is rejected by another process.
 */
export async function benchKeys(): Promise<BenchRow[]> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const [maker, server] = [startProcess(), startProcess()];
  try {
    const userId = await prepare(postgres.url);
    const task = { task: 'serve', postgresUrl: postgres.url, redisUrl: redis.url } as const;
    const [, { port }] = await Promise.all([ask(maker, task), ask(server, task)]);
    const make = async (keys: number) => (await ask(maker, { task: 'make', userId, keys })).keys;
    const revoke = (keyId: string) => ask(maker, { task: 'revoke', keyId });
    const [warm] = (await make(1)) as [Key];
    await loadHttp({ port, request: () => requestOf(warm), connections: 8, durationMs: 2_000 });

    const rows = [
      await oneByOne(port, await make(COLD_ONE_BY_ONE)),
      await atOnce(port, warm, await make(COLD_AT_ONCE), (apiKeys) => ask(maker, { task: 'use', port, apiKeys })),
    ];
    rows.push(await revocations('', port, await make(REVOCATIONS), revoke));
    const later = await make(REVOCATIONS);
    await redis.kill9();
    rows.push(await revocations(' while Redis is unavailable', port, later, revoke));
    return rows;
  } finally {
    maker.kill('SIGKILL');
    server.kill('SIGKILL');
    await Promise.all([postgres.stop(), redis.stop()]);
  }
}

/** Measures the first request with each key, without other load. */
async function oneByOne(port: number, keys: readonly Key[]): Promise<BenchRow> {
  const times: number[] = [];
  for (const key of keys) times.push(await timed(() => expectStatus(port, key, 200)));
  return {
    ...boundRow('keys: first use of a key, p95', 'ms', percentile(times, 0.95), 80),
    details: [`median ${median(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms`],
  };
}

/** Measures requests with a known key while the server verifies many unknown keys. */
async function atOnce(
  port: number,
  warm: Key,
  keys: readonly Key[],
  use: (apiKeys: readonly string[]) => Promise<AnswerTo<'use'>>,
): Promise<BenchRow> {
  const load = { port, request: () => requestOf(warm), connections: OTHERS_CONNECTIONS, perSecond: OTHERS_PER_SECOND };
  const calm = await loadHttp({ ...load, durationMs: 3_000 });
  let done = false;
  const cold = use(keys.map(({ apiKey }) => apiKey)).finally(() => {
    done = true;
  });
  const latencies: number[] = [];
  while (!done) {
    latencies.push(...(await loadHttp({ ...load, durationMs: 500 })).latencies);
  }
  const seconds = (Math.max(...(await cold).times) / 1000).toFixed(1);
  return {
    ...boundRow(
      `keys: p99 of other requests while ${keys.length} cold keys come at once`,
      'ms',
      percentile(latencies, 0.99),
      20,
    ),
    details: [
      `${latencies.length} others, median ${median(latencies).toFixed(1)} ms, longest ${Math.max(...latencies).toFixed(1)} ms`,
      `p99 before they came: ${percentile(calm.latencies, 0.99).toFixed(1)} ms`,
      `all ${keys.length} answered after ${seconds} s`,
    ],
  };
}

/**
 * Measures the time from the response to a revocation in one process to the first rejection in another, which receives
 * requests continuously.
 */
async function revocations(
  when: string,
  port: number,
  keys: readonly Key[],
  revoke: (keyId: string) => Promise<unknown>,
): Promise<BenchRow> {
  const times: number[] = [];
  for (const key of keys) {
    await expectStatus(port, key, 200);
    await expectStatus(port, key, 200);
    await revoke(key.keyId);
    times.push(
      await timed(() => waitFor('the refusal', async () => (await statusOf(port, key)) === 401, { everyMs: 1 })),
    );
  }
  return {
    ...boundRow(`keys: revocation seen by another process${when}, longest`, 'ms', Math.max(...times), 1000),
    details: [`median ${median(times).toFixed(1)} ms of ${times.length}`],
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const agent = new Agent({ keepAlive: true });
let asked = 0;

/** Returns the next of many client addresses, so that none reaches its rate limit. */
function nextAddress(): string {
  asked += 1;
  return `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`;
}

function requestOf({ apiKey }: Key): string {
  return `GET /keyed HTTP/1.1\r\nhost: bench\r\nx-forwarded-for: ${nextAddress()}\r\nx-api-key: ${apiKey}\r\n\r\n`;
}

async function statusOf(port: number, { apiKey }: Key): Promise<number> {
  const headers = { 'x-api-key': apiKey, 'x-forwarded-for': nextAddress() };
  const sent = httpRequest({ host: '127.0.0.1', port, path: '/keyed', headers, agent }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

async function expectStatus(port: number, key: Key, expected: number): Promise<void> {
  const status = await statusOf(port, key);
  if (status !== expected) throw new Error(`answered with ${status}, not ${expected}`);
}

function startProcess(): ChildProcess {
  return startAsked(PROCESS, API_OPTIONS);
}

type AnswerTo<T extends KeysTask['task']> = Extract<KeysAnswer, { answer: T }>;

function ask<T extends KeysTask['task']>(
  child: ChildProcess,
  task: Extract<KeysTask, { task: T }>,
): Promise<AnswerTo<T>> {
  return askProcess(child, task);
}

async function prepare(url: string): Promise<string> {
  const database = createDatabase({ url });
  try {
    await migrateDatabase(database);
    const names = { username: 'bench', email: 'bench@example.org' };
    return (await insertUser(database, { ...names, passwordHash: null, emailVerified: true })).id;
  } finally {
    await database.destroy();
  }
}
