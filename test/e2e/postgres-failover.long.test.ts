import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { runChecks } from '#deploy/doctor/check.ts';
import { postgresChecks } from '#deploy/doctor/postgres-checks.ts';
import { executionsClient } from '#test/support/executions-client.ts';
import { startPgBouncer } from '#test/support/services/pgbouncer.ts';
import { startPostgresPair } from '#test/support/services/postgres-pair.ts';
import { startRedis } from '#test/support/services/redis.ts';
import { signalTree } from '#test/support/services/signal-tree.ts';
import { sharedSecrets } from '#test/support/shared-secrets.ts';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { useClickHouse } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

/**
 * Tests `trapline api` and `trapline worker` on a primary with a standby. Each server is behind its own PgBouncer in
 * transaction pooling mode.
 */

const [clickhouse, pair, redis] = await Promise.all([useClickHouse(), startPostgresPair(), startRedis()]);
const servers = [pair.primary, pair.standby];
const poolers = await Promise.all(servers.map(({ url }) => startPgBouncer(url)));
const addresses = {
  DATABASE_URL: joined(poolers.map(({ url }) => url)),
  DATABASE_DIRECT_URL: joined(servers.map(({ url }) => url)),
};
let home: string;
const running: TraplineProcess[] = [];
let client: ReturnType<typeof executionsClient>;
/** Another user, who only sends read requests. */
let reader: ReturnType<typeof executionsClient>;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'trapline-failover-'));
  const env = {
    ...sharedSecrets(),
    ...addresses,
    DATABASE_REPLICA_URL: pair.standby.url,
    REDIS_URL: redis.url,
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_USER: clickhouse.user,
    CLICKHOUSE_PASSWORD: clickhouse.password,
    CLICKHOUSE_DATABASE: clickhouse.database,
    TRAPLINE_LIMIT_ADDRESS: '99999/1s',
  };
  const start = async (role: string) => {
    const process = await startTrapline([role], { ...env, TRAPLINE_DATA_DIR: path.join(home, role) });
    running.push(process);
    return (JSON.parse(await process.logged(`${role} is running`)) as { url: string }).url;
  };
  const url = await start('api');
  await start('worker');
  const key = (await readFile(path.join(home, 'api', 'operator.key'), 'utf8')).trim();
  client = executionsClient(() => url, key);
  const user = { email: 'ada@example.org', username: 'ada', password: 'otter-lamp-quarry-77', role: 'admin' };
  const { body: made } = await client.call<{ id: string }>('POST', '/api/admin/users', user);
  const { body: issued } = await client.call<{ apiKey: string }>('POST', `/api/admin/users/${made.id}/api-keys`, {
    label: 'r',
  });
  reader = executionsClient(() => url, issued.apiKey);
  await client.release('greeter', 'do: [ { greet: { set: { hello: "${ .name }" } } } ]');
});

afterAll(async () => {
  await Promise.all(running.map((process) => process.endAll()));
  await Promise.all(poolers.map((pooler) => pooler.stop()));
  await Promise.all([pair.stop(), redis.stop()]);
  await removeHome(home);
});

test('executions run through a transaction pooler; notifications arrive over the direct connection', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `name-${index}`);
  const accepted = await Promise.all(names.map((name) => client.run('greeter', { name })));
  expect(accepted.map(({ status }) => status)).toEqual(names.map(() => 201));
  const ended = await Promise.all(accepted.map(({ body }) => client.ended(body.executionId)));
  expect(ended).toMatchObject(names.map((name) => ({ status: 'completed', result: { hello: name } })));
  const sessions = await ask<{ name: string; query: string }>(
    'SELECT application_name AS name, query FROM pg_stat_activity WHERE usename = $1',
    ['trapline'],
  );
  // Two processes with up to ten connections each share the few server connections of the pooler.
  expect(sessions.filter(({ name }) => name === 'trapline').length).toBeLessThanOrEqual(3);
  const listening = sessions.filter(({ name }) => name === 'trapline wake-ups');
  expect(new Set(listening.map(({ query }) => query))).toEqual(new Set(['LISTEN trapline_jobs']));
});

test('lists are read from the standby, immediately consistent for a caller that has written, and from the primary if the standby lags', async () => {
  const listed = async (by: typeof client) => {
    const { body } = await by.call<{ data: { id: string }[] }>('GET', '/api/v1/executions?limit=5');
    return body.data.map(({ id }) => id);
  };
  const scans = async () => {
    const [counted] = await ask<{ scans: number }>(
      "SELECT (seq_scan + coalesce(idx_scan, 0))::int AS scans FROM pg_stat_user_tables WHERE relname = 'executions'",
      [],
      pair.standby.adminUrl,
    );
    return counted?.scans ?? 0;
  };
  const before = await scans();
  await waitFor('a list to be read from the standby', async () => {
    await listed(reader);
    return (await scans()) > before;
  });
  await ask('SELECT pg_wal_replay_pause()', [], pair.standby.adminUrl);
  const { body } = await client.run('greeter', { name: 'late' });
  expect(await listed(client)).toContain(body.executionId);
  await waitFor('the reader to see it', async () => (await listed(reader)).includes(body.executionId));
  await ask('SELECT pg_wal_replay_resume()', [], pair.standby.adminUrl);
});

test('doctor checks both servers, and reports possible data loss with the primary', async () => {
  const findings = async () => {
    const environment = { ...addresses, DATABASE_REPLICA_URL: pair.standby.url, REDIS_URL: redis.url };
    const resolved = resolveConfig({ environment });
    if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
    return Object.fromEntries(
      (await runChecks(postgresChecks(resolved.config))).map(({ check, ...rest }) => [check, rest]),
    );
  };
  expect(await findings()).toMatchObject({
    'PostgreSQL tables': { state: 'fine' },
    'PostgreSQL pooler': { state: 'look', found: expect.stringContaining('no time limit') },
    'PostgreSQL fail-over': { state: 'fine', found: '1 connected, synchronous_commit is on' },
    'PostgreSQL replica': { state: 'fine', found: expect.stringContaining('s behind') },
  });
  await ask("ALTER ROLE trapline SET statement_timeout = '15s'", []);
  await ask('ALTER ROLE trapline SET synchronous_commit = local', []);
  // The pooler opens new server connections, which have the new settings.
  await ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'trapline'", []);
  await waitFor('new sessions', async () => (await findings())['PostgreSQL pooler']?.state === 'fine');
  expect(await findings()).toMatchObject({
    'PostgreSQL fail-over': { state: 'look', advice: expect.stringContaining('synchronous_standby_names') },
  });
  await ask('ALTER ROLE trapline RESET synchronous_commit', []);
});

test('after a kill of the primary and a fail-over, requests continue and all accepted data is there', async () => {
  const executions: string[] = [];
  const exceptions: string[] = [];
  const refused: number[] = [];
  let over = false;
  const load = (send: (n: number) => Promise<{ readonly status: number; readonly id: string }>, accepted: string[]) =>
    (async () => {
      for (let n = 0; !over; n++) {
        const { status, id } = await send(n);
        if (status === 201) accepted.push(id);
        else refused.push(status);
      }
    })();
  const loads = [
    load(async (n) => {
      const { status, body } = await client.run('greeter', { name: `during-${n}` });
      return { status, id: body.executionId };
    }, executions),
    load(async (n) => {
      const exception = { program: `program-${n}`, reason: 'test of a fail-over' };
      const { status, body } = await client.call<{ id: string }>('POST', '/api/exceptions', exception);
      return { status, id: body.id };
    }, exceptions),
  ];
  const more = (count: number) => {
    const wanted = [executions.length + count, exceptions.length + count];
    return waitFor(
      'writes to be accepted',
      () => executions.length >= (wanted[0] ?? 0) && exceptions.length >= (wanted[1] ?? 0),
    );
  };
  try {
    await more(10);
    // Kills the whole process tree: PostgreSQL serves each connection with a process of its own.
    await signalTree(await pair.primary.process.pid, 'SIGKILL');
    await waitFor('a write to be refused', () => refused.length > 0);
    await pair.promote();
    await more(10);
  } finally {
    over = true;
    await Promise.all(loads);
  }
  expect(new Set(refused)).toEqual(new Set([503]));
  const ended = [];
  // Waits for one execution at a time: hundreds of concurrent waits would slow down the executions.
  for (const id of executions) ended.push(await client.ended(id));
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['completed']));
  const kept = await ask<{ id: string }>('SELECT id::text FROM detection_exceptions', [], pair.standby.adminUrl);
  expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining(exceptions));
  const { body } = await client.call<{ broken: unknown; verified: number }>('GET', '/api/admin/audit-log/verify');
  expect(body.broken).toBeNull();
  expect(body.verified).toBeGreaterThanOrEqual(exceptions.length);
});

function joined(urls: readonly string[]): string {
  const [first = '', ...rest] = urls;
  const { host } = new URL(first);
  return first.replace(host, [host, ...rest.map((url) => new URL(url).host)].join(','));
}

async function ask<T extends object>(
  sql: string,
  values: readonly unknown[],
  url = pair.primary.adminUrl,
): Promise<T[]> {
  const server = new Client({ connectionString: url.replace(/\/postgres$/, '/trapline') });
  await server.connect();
  try {
    return (await server.query<T>(sql, [...values])).rows;
  } finally {
    await server.end();
  }
}
