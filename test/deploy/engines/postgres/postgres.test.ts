import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isPostgresServing } from '#deploy/engines/postgres.ts';
import { signalTree } from '#test/support/services/signal-tree.ts';
import { ask, programSources, startEngine, temporaryHome } from './start-engine.ts';

const home = await temporaryHome();
const sources = await programSources();

describe.each(sources)('programs: $source', ({ source, folder }) => {
  test('starts an empty cluster, keeps data through kill -9, and accepts only its role', async () => {
    const dataDir = join(home, `kept-${source}`);
    const first = await startEngine({ dataDir, programs: folder });
    await ask(first.url, 'CREATE TABLE kept AS SELECT 7::int AS n');
    process.kill(-first.pid, 'SIGKILL');
    expect(await first.exited).toMatchObject({ expected: false });

    // A supervisor starts the next engine at the same URL, while the socket file of the first still exists.
    const second = await startEngine({ dataDir, programs: folder, socketDirectory: first.socketDirectory });
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, 'SELECT n FROM kept')).toBe(7);
    const stranger = new URL(second.url);
    stranger.password = 'wrong';
    await expect(ask(stranger.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect((await stat(join(dataDir, 'password'))).mode & 0o077).toBe(0);
    await second.stop();
    expect(await second.exited).toMatchObject({ expected: true, code: 0 });
    await expect(stat(first.socketDirectory)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('logs the programs and their version', async () => {
    const { programs } = await startEngine({ dataDir: join(home, `named-${source}`), programs: folder });
    const named = source === 'bundled' ? 'bundled' : 'configured';
    expect(programs).toMatchObject({ folder, source: named, major: Number.parseInt(programs.version, 10) });
  });
});

test('ends with its parent, and the next process takes over the directory', async () => {
  const dataDir = join(home, 'orphan');
  const program = `
    const { startPostgresEngine } = await import(${JSON.stringify(new URL('../../../../deploy/engines/postgres.ts', import.meta.url).href)});
    const engine = await startPostgresEngine({ dataDir: ${JSON.stringify(dataDir)} });
    process.stdout.write(engine.socketDirectory);
    setInterval(() => {}, 1000);
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: new URL('../../../..', import.meta.url).pathname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [socketDirectory] = (await once(parent.stdout, 'data')) as [Buffer];
  parent.kill('SIGKILL');
  const successor = await startEngine({ dataDir });
  expect(await ask(successor.url, 'SELECT 1::int AS n')).toBe(1);
  await expect(stat(socketDirectory.toString())).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the next start removes the socket directory of an engine killed with its watcher', async () => {
  const dataDir = join(home, 'left');
  const killed = await startEngine({ dataDir });
  process.kill(-killed.pid, 'SIGKILL');
  await killed.exited;
  expect((await stat(killed.socketDirectory)).isDirectory()).toBe(true);
  const next = await startEngine({ dataDir });
  expect(next.socketDirectory).not.toBe(killed.socketDirectory);
  await expect(stat(killed.socketDirectory)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('rejects a directory in use with advice, and its owner keeps its socket', async () => {
  const dataDir = join(home, 'taken');
  const owner = await startEngine({ dataDir });
  await expect(startEngine({ dataDir, takeoverMs: 0 })).rejects.toMatchObject({ reason: 'directory_locked' });
  expect(await ask(owner.url, 'SELECT 1')).toBe(1);
});

test('recreates a lost password file and lost roles', async () => {
  const dataDir = join(home, 'lost');
  const first = await startEngine({ dataDir });
  await ask(first.url, 'CREATE TABLE kept AS SELECT 7::int AS n');
  await first.stop();
  const password = join(dataDir, 'password');
  await writeFile(password, 'another\n');
  await expect(startEngine({ dataDir })).rejects.toThrow('remove the file `layout`');
  await writeFile(join(dataDir, 'layout'), '3\n');
  await expect(startEngine({ dataDir })).rejects.toThrow('layout 3 of a newer Trapline');
  await writeFile(join(dataDir, 'layout'), '1\n');
  const again = await startEngine({ dataDir });
  expect(await ask(again.url, 'SELECT n FROM kept')).toBe(7);
  expect(await readFile(password, 'utf8')).not.toBe('another\n');
});

test('the health query detects a frozen engine and accepts a busy one', async () => {
  const engine = await startEngine({ dataDir: join(home, 'checked'), settings: { max_connections: '5' } });
  expect(await isPostgresServing(engine)).toBe(true);
  const clients = Array.from({ length: 2 }, () => new Client({ connectionString: engine.url }));
  onTestFinished(async () => {
    for (const client of clients) await client.end();
  });
  for (const client of clients) await client.connect(); // three connections are reserved for superusers
  await expect(ask(engine.url, 'SELECT 1')).rejects.toMatchObject({ code: '53300' });
  expect(await isPostgresServing(engine)).toBe(true);
  await signalTree(engine.pid, 'SIGSTOP');
  expect(await isPostgresServing(engine)).toBe(false);
  await signalTree(engine.pid, 'SIGCONT');
  await expect.poll(() => isPostgresServing(engine)).toBe(true);
});
