import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { debianPostgres } from '../debian-postgres.mjs';
import { waitFor } from '../wait-for.ts';
import { freePorts } from './free-ports.mjs';
import { administer } from './postgres-template.ts';
import { type SupervisedProcess, supervise } from './supervised-process.ts';
import { asUser, UNPRIVILEGED_UID } from './unprivileged.ts';

const run = promisify(execFile);
const ROLE = 'trapline';

/** One of the two servers. */
export interface PairedServer {
  /** For the role that owns the database, which has no other rights. */
  readonly url: string;
  /** For the administrator. */
  readonly adminUrl: string;
  readonly process: SupervisedProcess;
}

/** A primary with a standby by streaming replication. A commit is confirmed when both have it on disk. */
export interface PostgresPair {
  readonly primary: PairedServer;
  readonly standby: PairedServer;
  /** Lets the standby accept writes; resolves when it does. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const home = await mkdtemp(join(tmpdir(), 'trapline-postgres-pair-'));
  if (process.getuid?.() === 0) await chown(home, UNPRIVILEGED_UID, UNPRIVILEGED_UID);
  const [primaryPort = 0, standbyPort = 0] = await freePorts(2);
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(home, 'password');
  await writeFile(passwordFile, password);
  const adminUrl = (port: number) => `postgres://administrator:${password}@127.0.0.1:${port}/postgres`;
  const primaryFolder = join(home, 'primary');
  await tool(
    'initdb',
    '-D',
    primaryFolder,
    '-U',
    'administrator',
    '-A',
    'scram-sha-256',
    '-N',
    '-E',
    'UTF8',
    `--pwfile=${passwordFile}`,
  );
  const primary = await startServer(home, primaryFolder, primaryPort);
  for (const sql of [`CREATE ROLE ${ROLE} LOGIN PASSWORD '${password}'`, `CREATE DATABASE ${ROLE} OWNER ${ROLE}`])
    await administer(adminUrl(primaryPort), sql);
  const standbyFolder = join(home, 'standby');
  await tool('pg_basebackup', '-D', standbyFolder, '-R', '-c', 'fast', '-N', '-d', adminUrl(primaryPort));
  const standby = await startServer(home, standbyFolder, standbyPort);
  await administer(adminUrl(primaryPort), "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await administer(adminUrl(primaryPort), 'SELECT pg_reload_conf()');
  await waitFor('the standby to confirm commits', () =>
    isTrue(adminUrl(primaryPort), "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync') AS yes"),
  );
  const server = (port: number, process: SupervisedProcess): PairedServer => ({
    url: `postgres://${ROLE}:${password}@127.0.0.1:${port}/${ROLE}`,
    adminUrl: adminUrl(port),
    process,
  });
  return {
    primary: server(primaryPort, primary),
    standby: server(standbyPort, standby),
    promote: () => administer(adminUrl(standbyPort), 'SELECT pg_promote()'),
    async stop() {
      await Promise.all([primary.stop(), standby.stop()]);
      await primary.endAll();
    },
  };
}

async function startServer(home: string, folder: string, port: number): Promise<SupervisedProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 100,
    shared_buffers: '32MB',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const started = supervise({
    ...asUser(UNPRIVILEGED_UID, [program('postgres'), '-D', folder, ...flags]),
    logFile: join(home, `${port}.log`),
    removeAtEnd: home,
  });
  await waitFor(
    'PostgreSQL to serve',
    () => !started.running || /ready to accept (?:read-only )?connections/.test(started.output()),
  );
  if (!started.running) throw new Error(`PostgreSQL ended:\n${started.output()}`);
  return started;
}

async function tool(name: string, ...given: readonly string[]): Promise<void> {
  const { command, args } = asUser(UNPRIVILEGED_UID, [program(name), ...given]);
  await run(command, [...args]);
}

function program(name: string): string {
  const initdb = debianPostgres();
  if (initdb === undefined) throw new Error('PostgreSQL is missing: run `node test/support/install-services.mjs`');
  return join(dirname(initdb), name);
}

async function isTrue(url: string, sql: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ yes: boolean }>(sql)).rows[0]?.yes === true;
  } finally {
    await client.end();
  }
}
