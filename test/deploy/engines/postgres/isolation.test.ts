import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isPostgresServing, type PostgresEngine, startPostgresEngine } from '#deploy/engines/postgres.ts';
import { atEnd } from '#test/support/at-end.ts';
import { ask, run, temporaryHome } from './start-engine.ts';

/**
 * Attacks on a running engine by other accounts of the machine and by its own role, and attacks by the engine's account
 * on the service.
 */

const home = await temporaryHome();
const dataDir = join(home, 'attacked');
const asRoot = process.getuid?.() === 0;
const OTHER_ACCOUNTS = [65_534, 12_345];
let engine: PostgresEngine;
beforeAll(async () => {
  engine = await startPostgresEngine({ dataDir });
});
atEnd(() => engine.stop());

/** Returns the process ids of the engine and of all its descendants. */
async function processes(): Promise<number[]> {
  const all = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const parents = new Map<number, number>();
  for (const pid of all) {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    parents.set(pid, Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const belongs = (pid: number | undefined): boolean =>
    pid === engine.pid || (pid !== undefined && pid > 1 && belongs(parents.get(pid)));
  return all.filter(belongs);
}

async function statusOf(pid: number): Promise<Record<string, string>> {
  const lines = (await readFile(`/proc/${pid}/status`, 'utf8')).trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2) as [string, string]));
}

/** Returns the open files of a process. None if it has ended, as workers of PostgreSQL do at any time. */
async function openFilesOf(pid: number): Promise<readonly string[]> {
  return readdir(`/proc/${pid}/fd`).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
    throw error;
  });
}

/** Returns the inodes of the listening TCP sockets in this network namespace. */
async function listening(): Promise<Set<string>> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(1));
  const LISTEN = '0A';
  return new Set(
    rows.map((row) => row.trim().split(/\s+/)).flatMap((row) => (row[3] === LISTEN ? [row[9] ?? ''] : [])),
  );
}

test('no process listens on TCP', async () => {
  const listeners = await listening();
  const open: string[] = [];
  for (const pid of await processes()) {
    for (const fd of await openFilesOf(pid)) {
      const inode = /^socket:\[(\d+)\]$/.exec(await readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''))?.[1];
      if (inode !== undefined) open.push(inode);
    }
  }
  expect(open.length).toBeGreaterThan(0); // the Unix socket of the engine
  expect(open.filter((inode) => listeners.has(inode))).toEqual([]);
  expect(await ask(engine.url, "SELECT current_setting('listen_addresses')")).toBe('');
});

test('only its account can enter the directory of its socket', async () => {
  const { mode, uid } = await stat(engine.socketDirectory);
  expect(mode & 0o777).toBe(0o700);
  expect(uid).toBe((await statusOf(engine.pid)).Uid?.split('\t').map(Number)[0]);
  const socket = join(engine.socketDirectory, '.s.PGSQL.5432');
  expect(await run('test', ['-S', socket])).toMatchObject({ code: 0 });
  // Only root can run commands as other accounts. The directory mode checked above keeps those accounts out.
  for (const other of asRoot ? OTHER_ACCOUNTS : []) {
    const as = ['--reuid', String(other), '--regid', String(other), '--clear-groups', '--'];
    expect(await run('setpriv', [...as, 'test', '-S', socket])).toMatchObject({ code: 1 });
    expect((await run('setpriv', [...as, 'kill', '-KILL', String(engine.pid)])).output).toContain('not permitted');
    expect((await run('setpriv', [...as, 'kill', '-KILL', '--', `-${engine.pid}`])).output).toContain('not permitted');
    expect((await run('setpriv', [...as, 'ls', `/proc/${engine.pid}/cwd/`])).output).toContain('Permission denied');
  }
  expect(await isPostgresServing(engine)).toBe(true);
});

test('no process has privileges or the account of another service', async () => {
  // Workers of PostgreSQL end at any time.
  const read = await Promise.allSettled((await processes()).map(statusOf));
  const statuses = read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(statuses.length).toBeGreaterThan(4);
  const none = '0000000000000000';
  for (const status of statuses) {
    expect(status).toMatchObject({ CapInh: none, CapPrm: none, CapEff: none, CapAmb: none, NoNewPrivs: '1' });
    const [uid = 0] = (status.Uid ?? '').split('\t').map(Number);
    if (!asRoot) expect(uid).toBe(process.getuid?.());
    else {
      expect(status).toMatchObject({ CapBnd: none, Groups: '', Uid: [uid, uid, uid, uid].join('\t') });
      expect((await run('getent', ['passwd', String(uid)])).output).toBe('');
      expect(uid).toBeGreaterThan(0);
    }
  }
});

test('its account cannot read the password of the role or change who may connect', async () => {
  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, 'pg_hba.conf'))).mode & 0o777).toBe(0o644);
  for (const file of ['password', 'pg_hba.conf', '.'])
    expect((await stat(join(dataDir, file))).uid).toBe(process.getuid?.());
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
});

test('no client connects as superuser, with or without a password, or to another database', async () => {
  for (const [user, database] of [
    ['postgres', 'trapline'],
    ['postgres', 'postgres'],
    ['trapline', 'postgres'],
    ['trapline', 'template1'],
  ] as const) {
    const url = new URL(engine.url);
    url.username = user;
    url.pathname = `/${database}`;
    await expect(ask(url.href, 'SELECT 1')).rejects.toThrow('no pg_hba.conf entry');
  }
  const passwords = "SELECT count(*)::int FROM pg_roles WHERE rolsuper AND rolname <> 'postgres'";
  expect(await ask(engine.url, passwords)).toBe(0);
});

describe('its role has no rights outside its database', () => {
  test.each([
    "COPY (SELECT 1) TO PROGRAM 'id'",
    "CREATE TABLE stolen (line text); COPY stolen FROM PROGRAM 'id'",
    "COPY (SELECT 1) TO '/tmp/written'",
    "CREATE TABLE stolen (line text); COPY stolen FROM '/etc/passwd'",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_read_binary_file('PG_VERSION')",
    "SELECT pg_ls_dir('/')",
    "SELECT pg_stat_file('/etc/passwd')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_export(lo_create(0), '/tmp/written')",
    'CREATE ROLE another',
    'CREATE DATABASE another',
    'ALTER ROLE trapline SUPERUSER',
    'SET ROLE postgres',
    'SET SESSION AUTHORIZATION postgres',
    "ALTER SYSTEM SET archive_command = 'id'",
    'CREATE EXTENSION file_fdw',
    'CREATE EXTENSION dblink',
    'CREATE EXTENSION postgres_fdw',
    "CREATE FUNCTION run(cstring) RETURNS int AS '/lib/x86_64-linux-gnu/libc.so.6', 'system' LANGUAGE c STRICT",
    "LOAD '/lib/x86_64-linux-gnu/libc.so.6'",
    'SELECT rolpassword FROM pg_authid',
    'SELECT pg_reload_conf()',
    "CREATE TABLESPACE another LOCATION '/tmp'",
    "SELECT pg_create_physical_replication_slot('another')",
  ])('%s', async (attack) => {
    await expect(ask(engine.url, attack)).rejects.toMatchObject({
      message: expect.stringMatching(
        /permission denied|must be (?:superuser|a superuser)|is not allowed|not available/,
      ),
    });
  });
});
