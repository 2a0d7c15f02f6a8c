import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { debianPostgres } from '../debian-postgres.mjs';
import { commandAt, LOOPBACK, type Place } from '../place.ts';
import { waitFor } from '../wait-for.ts';
import { freePorts } from './free-ports.mjs';
import { administer } from './postgres-template.ts';
import { signalTree } from './signal-tree.ts';
import { type SupervisedProcess, supervise } from './supervised-process.ts';
import { asUser, UNPRIVILEGED_UID } from './unprivileged.ts';

const run = promisify(execFile);
const ROLE = 'trapline';

/** One of the two servers. */
export interface PairedServer {
  /** URL for the role that owns the database and has no other privileges. */
  readonly url: string;
  /** URL for the administrator. */
  readonly adminUrl: string;
  /** The current process. */
  readonly process: SupervisedProcess;
  /** Its data folder. */
  readonly data: string;
  /** Sends SIGKILL to all of its processes: each connection has a separate process. */
  kill9(): Promise<void>;
  /** Kills the server if it is running and starts it again in the same role. */
  restart(): Promise<void>;
}

/** A primary with a standby by streaming replication. A commit is confirmed when both servers have it on disk. */
export interface PostgresPair {
  /** The current primary: the first server until `failOver`, then the other one. */
  readonly primary: PairedServer;
  readonly standby: PairedServer;
  /** Promotes the standby. Resolves when it accepts writes. The primary must have been killed. */
  promote(): Promise<void>;
  /** Kills the primary, promotes the standby, and makes the killed server the new standby from a new copy. */
  failOver(): Promise<void>;
  /** Resolves when the standby confirms commits. */
  synchronous(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresPairOptions {
  /** Places of the two servers. Default: both on the loopback. */
  readonly places?: readonly [Place, Place];
  /** Called with the empty data folder of each server before it is used. */
  readonly prepare?: (data: string) => Promise<void>;
}

export async function startPostgresPair(options: PostgresPairOptions = {}): Promise<PostgresPair> {
  const { places = [LOOPBACK, LOOPBACK], prepare = async () => {} } = options;
  const home = await mkdtemp(join(tmpdir(), 'trapline-postgres-pair-'));
  await ownedByServer(home);
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(home, 'password');
  await writeFile(passwordFile, password);
  const ports = await freePorts(2);
  const at = await Promise.all(
    places.map(async (place, index): Promise<ServerPlace> => {
      const data = join(home, index === 0 ? 'primary' : 'standby');
      await mkdir(data, { mode: 0o700 });
      await prepare(data);
      await ownedByServer(data);
      return { place, port: ports[index] ?? 0, data, home, password };
    }),
  );
  const [first, second] = at as [ServerPlace, ServerPlace];
  const initial = ['-U', 'administrator', '-A', 'scram-sha-256', '-N', '-E', 'UTF8', `--pwfile=${passwordFile}`];
  await tool(LOOPBACK, 'initdb', '-D', first.data, ...initial);
  const accepted = ['all', 'replication'].map((database) => `host ${database} all samenet scram-sha-256\n`);
  await appendFile(join(first.data, 'pg_hba.conf'), accepted.join(''));
  let primary = await startPaired(first);
  for (const sql of [`CREATE ROLE ${ROLE} LOGIN PASSWORD '${password}'`, `CREATE DATABASE ${ROLE} OWNER ${ROLE}`])
    await administer(primary.adminUrl, sql);
  await copyFrom(primary.adminUrl, second);
  let standby = await startPaired(second);
  await administer(primary.adminUrl, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await administer(primary.adminUrl, 'SELECT pg_reload_conf()');
  const placeOf = (server: PairedServer) => (server.data === first.data ? first : second);
  const pair: PostgresPair = {
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    promote: () => administer(standby.adminUrl, 'SELECT pg_promote()'),
    async failOver() {
      await primary.kill9();
      await pair.promote();
      await administer(standby.adminUrl, "ALTER SYSTEM SET synchronous_standby_names = '*'");
      await administer(standby.adminUrl, 'SELECT pg_reload_conf()');
      [primary, standby] = [standby, primary];
      const place = placeOf(standby);
      // The folder itself may be a mounted disk, so only its contents are removed.
      for (const name of await readdir(place.data)) await rm(join(place.data, name), { recursive: true, force: true });
      await copyFrom(primary.adminUrl, place);
      await standby.restart();
      await pair.synchronous();
    },
    async synchronous() {
      await waitFor('the standby to confirm commits', () =>
        isTrue(primary.adminUrl, "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync') AS yes"),
      );
    },
    async stop() {
      await Promise.all([primary.process.stop(), standby.process.stop()]);
      await primary.process.endAll();
    },
  };
  await pair.synchronous();
  return pair;
}

interface ServerPlace {
  readonly place: Place;
  readonly port: number;
  readonly data: string;
  readonly home: string;
  readonly password: string;
}

async function startPaired(at: ServerPlace): Promise<PairedServer> {
  const { place, port, data, password } = at;
  let process = await startServer(at);
  const url = (user: string, database: string) => `postgres://${user}:${password}@${place.address}:${port}/${database}`;
  const server: PairedServer = {
    url: url(ROLE, ROLE),
    adminUrl: url('administrator', 'postgres'),
    data,
    get process() {
      return process;
    },
    async kill9() {
      if (process.running) await signalTree(await process.pid, 'SIGKILL');
      await process.kill9();
    },
    async restart() {
      await server.kill9();
      process = await startServer(at);
    },
  };
  return server;
}

async function ownedByServer(folder: string): Promise<void> {
  if (process.getuid?.() === 0) await chown(folder, UNPRIVILEGED_UID, UNPRIVILEGED_UID);
}

/** Makes the server at the place a standby of the primary. */
async function copyFrom(primaryUrl: string, { place, data }: ServerPlace): Promise<void> {
  await tool(place, 'pg_basebackup', '-D', data, '-R', '-c', 'fast', '-N', '-d', primaryUrl);
}

async function startServer({ place, port, data, home }: ServerPlace): Promise<SupervisedProcess> {
  const settings = {
    listen_addresses: place.address,
    port,
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 100,
    shared_buffers: '32MB',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = asUser(UNPRIVILEGED_UID, [program('postgres'), '-D', data, ...flags]);
  const logFile = join(home, `${port}.log`);
  // A restarted server appends to the log file.
  const before = (await readFile(logFile, 'utf8').catch(() => '')).length;
  const started = supervise({ ...commandAt(place, server.command, server.args), logFile, removeAtEnd: home });
  const ready = /ready to accept (?:read-only )?connections/;
  await waitFor(
    'PostgreSQL to serve',
    async () => !started.running || ready.test((await readFile(logFile, 'utf8')).slice(before)),
  );
  if (!started.running) throw new Error(`PostgreSQL ended:\n${started.output()}`);
  return started;
}

async function tool(place: Place, name: string, ...given: readonly string[]): Promise<void> {
  const asServer = asUser(UNPRIVILEGED_UID, [program(name), ...given]);
  const { command, args } = commandAt(place, asServer.command, asServer.args);
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
