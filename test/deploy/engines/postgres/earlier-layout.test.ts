import { chown, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runOnCluster } from '#deploy/engines/postgres-roles.ts';
import { handlePath, runUnprivileged, SHARED_ACCOUNT, spawnUnprivileged } from '#deploy/engines/run-unprivileged.ts';
import { freePort } from '#test/support/services/free-ports.mjs';
import { ask, programSources, startEngine, temporaryHome } from './start-engine.ts';

/*
 * Data directories of the releases that listened on TCP. Superuser and role share a password, and any
 * local connection may sign in as either. Where root started the engine, all files belong to `nobody`.
 */
const home = await temporaryHome();
// Debian's programs: every account can read them, also when this checkout is in a private directory.
const [system] = await programSources();
const programs = system?.folder ?? '';
const asRoot = process.getuid?.() === 0;
const account = asRoot ? SHARED_ACCOUNT : undefined;
const named = { account, launcher: [] };
const PASSWORD = 'shared-by-superuser-and-role';

async function earlierCluster(name: string, statements: readonly string[]): Promise<string> {
  const dataDir = join(home, name);
  const cluster = join(dataDir, 'cluster');
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  const passwordFile = join(dataDir, 'password');
  await writeFile(passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
  if (account) for (const path of [cluster, passwordFile]) await chown(path, account.uid, account.gid);
  const handles = [await open(cluster), await open(passwordFile)];
  const args = ['-D', handlePath(0), '--username=postgres', `--pwfile=${handlePath(1)}`, '--auth=scram-sha-256'];
  const made = await runUnprivileged(join(programs, 'initdb'), [...args, '--locale=C'], { account, handles });
  expect(made.code, made.output).toBe(0);
  for (const handle of handles) await handle.close();
  const single = ['--single', '-D', handlePath(0), 'postgres'];
  await runOnCluster(cluster, join(programs, 'postgres'), single, { named, input: `${statements.join('\n')}\n` });
  return dataDir;
}

const ROLE = `CREATE ROLE trapline LOGIN PASSWORD '${PASSWORD}';`;
const DATABASE = 'CREATE DATABASE trapline OWNER trapline;';

test.each([
  ['complete', [ROLE, DATABASE]],
  ['without-database', [ROLE]],
  ['without-role', []],
])('starts an earlier cluster, %s, with other secrets and another account', async (name, statements) => {
  const dataDir = await earlierCluster(name, statements);
  const engine = await startEngine({ dataDir, programs });
  expect(await ask(engine.url, 'SELECT current_user::text')).toBe('trapline');
  const earlier = new URL(engine.url);
  earlier.password = PASSWORD;
  await expect(ask(earlier.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  earlier.username = 'postgres';
  await expect(ask(earlier.href, 'SELECT 1')).rejects.toThrow('no pg_hba.conf entry');
  expect(await readFile(join(dataDir, 'password'), 'utf8')).not.toContain(PASSWORD);
  expect((await stat(join(dataDir, 'password'))).uid).toBe(process.getuid?.());
  const owner = (await stat(join(dataDir, 'cluster'))).uid;
  if (asRoot) expect([0, SHARED_ACCOUNT.uid]).not.toContain(owner);
  expect((await stat(join(dataDir, 'cluster/base/1/PG_VERSION'))).uid).toBe(owner);

  await engine.stop();
  const again = await startEngine({ dataDir, programs });
  expect((await stat(join(dataDir, 'cluster'))).uid).toBe(owner);
  expect(again.url.replace(/%2F.*:5432/, '')).toBe(engine.url.replace(/%2F.*:5432/, ''));
});

test('leaves a cluster that an earlier release still serves unchanged', async () => {
  const dataDir = await earlierCluster('served', [ROLE, DATABASE]);
  const cluster = join(dataDir, 'cluster');
  const before = (await stat(cluster)).uid;
  const handle = await open(cluster);
  const port = String(await freePort());
  const onTcp = ['-p', port, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const args = ['-D', handlePath(0), ...onTcp];
  const server = await spawnUnprivileged(join(programs, 'postgres'), args, { account, handles: [handle] });
  await handle.close();
  await expect.poll(() => readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).toContain('ready');
  await expect(startEngine({ dataDir, programs, takeoverMs: 0 })).rejects.toMatchObject({ reason: 'directory_locked' });
  expect((await stat(cluster)).uid).toBe(before);
  const waiting = startEngine({ dataDir, programs });
  server.kill('SIGINT');
  expect(await ask((await waiting).url, 'SELECT 1')).toBe(1);
});
