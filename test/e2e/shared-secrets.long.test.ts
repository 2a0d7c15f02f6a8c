import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIN, removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { useClickHouse, usePostgres } from '#test/support/use-services.ts';

/** Tests processes with separate data directories that share a database and have no secrets configured. */

const [clickhouse, postgres] = await Promise.all([useClickHouse(), usePostgres({ migrated: false })]);
const stores = {
  DATABASE_URL: postgres.url,
  CLICKHOUSE_URL: clickhouse.url,
  CLICKHOUSE_USER: clickhouse.user,
  CLICKHOUSE_PASSWORD: clickhouse.password,
  CLICKHOUSE_DATABASE: clickhouse.database,
};
let home: string;
const running: TraplineProcess[] = [];

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'trapline-shared-'));
});
afterAll(async () => {
  await Promise.all(running.map((process) => process.endAll()));
  await removeHome(home);
});

async function start(role: 'api' | 'worker', env: Readonly<Record<string, string>>): Promise<TraplineProcess> {
  const started = await startTrapline([role], { ...stores, ...env });
  running.push(started);
  await started.logged(`${role} is running`);
  return started;
}

test('a second process that would generate other secrets does not start, but with the same ones it does', async () => {
  const one = path.join(home, 'one');
  const api = await start('api', { TRAPLINE_DATA_DIR: one });
  expect(await api.log()).toContain('REDIS_URL is not set: sign-in limits, caches');

  const refused = await run('worker', { TRAPLINE_DATA_DIR: path.join(home, 'two') });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(
    /^trapline: the processes of a database must share their secrets\n {2}AUTH_SECRET is not set/m,
  );
  expect(refused.stderr).toContain(`  JWT_SECRET is not set, and ${path.join(home, 'two', 'jwt.secret')} differs`);

  const secretIn = async (file: string) => (await readFile(path.join(one, file), 'utf8')).trim();
  await start('worker', {
    TRAPLINE_DATA_DIR: path.join(home, 'two'),
    AUTH_SECRET: await secretIn('auth.secret'),
    JWT_SECRET: await secretIn('jwt.secret'),
  });
});

/** Runs a process until it exits. */
function run(role: string, env: Readonly<Record<string, string>>): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [MAIN, role],
      { env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, PORT: '0', ...stores, ...env } },
      (_error, _stdout, stderr) => resolve({ code: child.exitCode ?? -1, stderr }),
    );
  });
}
