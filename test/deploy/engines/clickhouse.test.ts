import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startClickHouseEngine } from '#deploy/engines/clickhouse.ts';
import { waitFor } from '#test/support/wait-for.ts';

const home = await mkdtemp(join(tmpdir(), 'trapline-engine-'));
afterAll(() => rm(home, { recursive: true, force: true }));

async function ask(engine: { url: string }, user: string, password: string, query: string): Promise<string> {
  const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': password, connection: 'close' };
  return (await fetch(engine.url, { method: 'POST', body: query, headers })).text();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('answers its own user only, on loopback, keeps what was written and ends when it is asked to', async () => {
  const dataDir = join(home, 'first');
  const engine = await startClickHouseEngine({ dataDir });
  expect(await ask(engine, engine.user, engine.password, 'SELECT 18446744073709551615')).toBe('18446744073709551615\n');
  expect(await ask(engine, engine.user, 'wrong', 'SELECT 1')).toContain('AUTHENTICATION_FAILED');
  await ask(engine, engine.user, engine.password, 'CREATE TABLE kept (n UInt64) ENGINE = MergeTree ORDER BY n');
  await ask(engine, engine.user, engine.password, 'INSERT INTO kept VALUES (7)');
  expect(await ask(engine, 'default', '', 'SELECT * FROM kept')).toContain('ACCESS_DENIED');
  const [run = ''] = (await readdir(dataDir)).filter((name) => name.startsWith('run-'));
  expect((await stat(join(dataDir, run, 'users.xml'))).mode & 0o777).toBe(0o600);

  await engine.stop();
  expect(await engine.exited).toMatchObject({ expected: true, code: 0 });

  const again = await startClickHouseEngine({ dataDir });
  expect(again.password).not.toBe(engine.password);
  expect(await ask(again, again.user, again.password, 'SELECT n FROM kept')).toBe('7\n');
  await again.stop();
});

test('says that a directory is in use, or a port taken', async () => {
  const dataDir = join(home, 'second');
  const engine = await startClickHouseEngine({ dataDir });
  await expect(startClickHouseEngine({ dataDir, takeoverMs: 300 })).rejects.toMatchObject({
    name: 'EngineStartError',
    reason: 'directory_locked',
  });
  expect(await ask(engine, engine.user, engine.password, 'SELECT 1')).toBe('1\n');
  await engine.stop();

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(startClickHouseEngine({ dataDir, port, takeoverMs: 300 })).rejects.toMatchObject({
    reason: 'port_taken',
  });
  server.close();
});

test('dies with its parent, however that ends, and the next one takes the directory over', async () => {
  const dataDir = join(home, 'third');
  const module = new URL('../../../deploy/engines/clickhouse.ts', import.meta.url).href;
  const script = `const { startClickHouseEngine } = await import(${JSON.stringify(module)});
    const engine = await startClickHouseEngine({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(engine.pid); setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  parent.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const pid = Number(await waitFor('the engine to start', () => /^(\d+)\n/.exec(output)?.[1]));
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  const next = await startClickHouseEngine({ dataDir });
  expect(await ask(next, next.user, next.password, 'SELECT 1')).toBe('1\n');
  await waitFor('the orphan to end', () => !isAlive(pid));
  expect((await readdir(dataDir)).filter((name) => name.startsWith('run-'))).toHaveLength(1);
  await next.stop();
});
