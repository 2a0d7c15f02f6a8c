import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { createDatabase } from '#api/store/database.ts';
import { startPostgresEngine } from '#deploy/engines/postgres.ts';

const home = await mkdtemp(join(tmpdir(), 'trapline-postgres-engine-'));
afterAll(() => rm(home, { recursive: true, force: true }));

async function number(url: string, query = sql<{ n: number }>`SELECT n FROM kept`): Promise<number | undefined> {
  const database = createDatabase({ url });
  try {
    return (await query.execute(database)).rows[0]?.n;
  } finally {
    await database.destroy();
  }
}

test('starts an empty cluster, keeps what was written through kill -9, and lets only its owner in', async () => {
  const dataDir = join(home, 'kept');
  const first = await startPostgresEngine({ dataDir });
  await number(first.url, sql`CREATE TABLE kept AS SELECT 7::int AS n`);
  process.kill(-first.pid, 'SIGKILL');
  expect(await first.exited).toMatchObject({ expected: false });

  const second = await startPostgresEngine({ dataDir });
  expect(await number(second.url)).toBe(7);
  const stranger = new URL(second.url);
  stranger.password = 'wrong';
  await expect(number(stranger.href)).rejects.toThrow('password authentication failed');
  expect((await stat(join(dataDir, 'password'))).mode & 0o077).toBe(0);
  await second.stop();
  expect(await second.exited).toMatchObject({ expected: true, code: 0 });
});

test('ends with the process that started it, and its successor takes the directory over', async () => {
  const dataDir = join(home, 'orphan');
  const program = `
    const { startPostgresEngine } = await import(${JSON.stringify(new URL('../../../deploy/engines/postgres.ts', import.meta.url).href)});
    await startPostgresEngine({ dataDir: ${JSON.stringify(dataDir)} });
    process.stdout.write('up');
    setInterval(() => {}, 1000);
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: new URL('../../..', import.meta.url).pathname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(parent.stdout, 'data');
  parent.kill('SIGKILL');
  const successor = await startPostgresEngine({ dataDir });
  expect(await number(successor.url, sql`SELECT 1::int AS n`)).toBe(1);
  await successor.stop();
});

test('a directory in use is refused with what to do about it', async () => {
  const dataDir = join(home, 'taken');
  const owner = await startPostgresEngine({ dataDir });
  await expect(startPostgresEngine({ dataDir, takeoverMs: 0 })).rejects.toMatchObject({ reason: 'directory_locked' });
  await owner.stop();
});
