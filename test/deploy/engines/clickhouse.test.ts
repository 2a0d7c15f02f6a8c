import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { startClickHouseEngine } from '#deploy/engines/clickhouse.ts';
import { askEngine, type EngineAddress } from '#deploy/engines/clickhouse-request.ts';
import { freePorts } from '#test/support/services/free-ports.mjs';
import { waitFor } from '#test/support/wait-for.ts';

const home = await mkdtemp(join(tmpdir(), 'trapline-engine-'));
afterAll(() => rm(home, { recursive: true, force: true }));

async function ask(engine: EngineAddress, query: string): Promise<string> {
  const { status, body } = await askEngine(engine, query, AbortSignal.timeout(10_000));
  if (status !== 200) throw new Error(body);
  return body;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('keeps stored data and stops on request', async () => {
  const dataDir = join(home, 'first');
  const engine = await startClickHouseEngine({ dataDir });
  expect(await ask(engine, 'SELECT 18446744073709551615')).toBe('18446744073709551615\n');
  await ask(engine, 'CREATE TABLE kept (n UInt64) ENGINE = MergeTree ORDER BY n');
  await ask(engine, 'INSERT INTO kept VALUES (7)');
  // The server chooses the number of threads of a query by its free memory.
  const threads = 'EXPLAIN PIPELINE SELECT sum(number) FROM numbers_mt(10000000) SETTINGS max_threads = 4';
  expect(await ask(engine, threads)).toContain(' × 4 ');
  await engine.stop();
  expect(await engine.exited).toMatchObject({ expected: true, code: 0 });
  // The engine removes its password and its socket when it stops.
  expect((await readdir(dataDir)).sort()).toEqual(['data', 'version']);

  const again = await startClickHouseEngine({ dataDir });
  expect(again.password).not.toBe(engine.password);
  expect(await ask(again, 'SELECT n FROM kept')).toBe('7\n');
  await again.stop();
});

test('rejects a data directory in use', async () => {
  const dataDir = join(home, 'second');
  const engine = await startClickHouseEngine({ dataDir });
  await expect(startClickHouseEngine({ dataDir, takeoverMs: 300 })).rejects.toMatchObject({
    name: 'EngineStartError',
    reason: 'directory_locked',
  });
  expect(await ask(engine, 'SELECT 1')).toBe('1\n');
  await engine.stop();
});

test('listens on a configured port instead of the socket, and only on loopback', async () => {
  const [port = 0] = await freePorts(1);
  const engine = await startClickHouseEngine({ dataDir: join(home, 'port'), isolation: 'off', port });
  const clickhouse = createClickHouse({
    user: engine.user,
    password: engine.password,
    url: `http://127.0.0.1:${port}`,
    database: 'any',
  });
  expect(await clickhouse.rows('add', 'SELECT 1 + 1 AS two')).toEqual([{ two: 2 }]);
  await clickhouse.close();
  expect(await readdir(dirname(engine.socketPath))).not.toContain(basename(engine.socketPath));
  const elsewhere = connect({ host: '127.0.0.2', port });
  await expect(once(elsewhere, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await engine.stop();
});

test('rejects newer or damaged data in one sentence', async () => {
  const dataDir = join(home, 'newer');
  const engine = await startClickHouseEngine({ dataDir });
  await ask(engine, 'CREATE TABLE kept (n UInt64) ENGINE = MergeTree ORDER BY n');
  await engine.stop();
  await writeFile(join(dataDir, 'version'), '99.1.2\n');
  await expect(startClickHouseEngine({ dataDir })).rejects.toThrow(
    /^the data in .*newer was written by ClickHouse 99\.1\.2, which is newer than the embedded [\w.-]+: install .* or restore a backup$/,
  );
  await writeFile(join(dataDir, 'version'), '26.7.1\n');
  const table = (await readdir(dataDir, { recursive: true })).find((name) => name.endsWith('kept.sql'));
  const statement = await readFile(join(dataDir, table ?? ''), 'utf8');
  await writeFile(join(dataDir, table ?? ''), statement.replace('SETTINGS', 'SETTINGS of_the_future = 1,'));
  await expect(startClickHouseEngine({ dataDir })).rejects.toThrow(
    /^the embedded ClickHouse ended at start [^\n]*of_the_future[^\n]*$/,
  );
});

test('starts in a long path with special characters of XML, shells and SQL', async () => {
  const dataDir = join(home, `a "b" $c '<d> &amp; ${'e'.repeat(120)}`, 'clickhouse');
  const engine = await startClickHouseEngine({ dataDir });
  expect(await ask(engine, 'SELECT 1')).toBe('1\n');
  await engine.stop();
});

test('ends with its parent in every case, and the next one takes over the directory', async () => {
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
  expect(await ask(next, 'SELECT 1')).toBe('1\n');
  await waitFor('the orphan to end', () => !isAlive(pid));
  expect((await readdir(dataDir)).filter((name) => name.startsWith('run-'))).toHaveLength(1);
  await next.stop();
});
