import { mkdir, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { childEngine } from './child-engine.ts';
import { type Engine, type EngineLogger, EngineStartError } from './engine.ts';
import { firstAnswer, isPostgresServing } from './postgres-answer.ts';
import { clusterAccount, clusterFolder, clusterMajor, prepareCluster, writeAccessRules } from './postgres-cluster.ts';
import {
  findPrograms,
  type PostgresPrograms,
  UNSUPPORTED_LIBRARIES,
  type UsablePrograms,
} from './postgres-programs.ts';
import { type Administrator, DATABASE, ROLE } from './postgres-roles.ts';
import { readText } from './replace-file.ts';
import { type Account, handlePath, spawnUnprivileged } from './run-unprivileged.ts';
import {
  makeSocketDirectory,
  recordedSocketDirectories,
  removeOldRuntimeDirectories,
  removeRuntimeDirectory,
  removeSocket,
  reuseSocketDirectory,
  SOCKET_PORT,
} from './runtime-directory.ts';

export { isPostgresServing } from './postgres-answer.ts';

export interface PostgresEngine extends Engine {
  /** `postgres://role:password@%2Fsocket%2Fdirectory:5432/database?sslmode=disable`, which libpq and pg accept. */
  readonly url: string;
  /** Directory of the Unix socket, mode 0700, accessible only to this process and the engine's account. */
  readonly socketDirectory: string;
  readonly programs: PostgresPrograms;
}

export interface PostgresEngineOptions {
  /** Used only by the engine. Created if missing. One process at a time. */
  readonly dataDir: string;
  /** Folder with PostgreSQL's programs. Default: those of the distribution, or else of the npm package. */
  readonly programs?: string | undefined;
  /** Socket directory of the engine that this one replaces, so that the URL stays the same. Default: a new one. */
  readonly socketDirectory?: string | undefined;
  /** How long to wait for a previous engine that is still stopping. Default 15,000. */
  readonly takeoverMs?: number;
  /** Additional settings of `postgresql.conf`, such as `{fsync: 'off'}`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** For tests: one more role, and access to every database. */
  readonly administrator?: Administrator | undefined;
  readonly logger?: EngineLogger;
}

const STOP_TIMEOUT_MS = 10_000;

/** Small values, for the accounts and jobs of one site. A cluster uses its own server. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '', // No TCP, so other accounts of the machine cannot connect.
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '32MB',
  max_wal_size: '128MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off', // Queries are small, and JIT compilation would load LLVM into every session.
  log_min_messages: 'warning',
  log_statement: 'none',
  log_min_error_statement: 'panic', // Statements contain values, which must not be logged.
  log_parameter_max_length_on_error: '0',
};

/**
 * Runs the server ("$@") and stops it (SIGINT: end sessions, write a checkpoint) when standard input closes. The kernel
 * closes it however our process ends. Then removes the socket directory ($1), which it owns. Descriptors 3 and 4 are
 * for the server.
 */
const WRAPPER = `
directory=$1; shift
exec 9<&0
"$@" </dev/null 9<&- &
server=$!
( read -r _ <&9; kill -INT $server ) >/dev/null 2>&1 &
watcher=$!
exec 9<&-
wait $server
code=$?
kill $watcher 2>/dev/null
rm -f "$directory"/.s.PGSQL.*
rmdir "$directory" 2>/dev/null
exit $code
`;

/**
 * Starts the embedded PostgreSQL on a Unix socket, as an unprivileged child process that never outlives this one.
 * Resolves when it responds to our role; rejects with `EngineStartError`.
 */
export async function startPostgresEngine(options: PostgresEngineOptions): Promise<PostgresEngine> {
  const { takeoverMs = 15_000 } = options;
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const deadline = Date.now() + takeoverMs;
  for (;;) {
    try {
      return await startOnce(dataDir, options);
    } catch (error) {
      const passing = error instanceof EngineStartError && error.reason === 'directory_locked';
      if (!passing || Date.now() > deadline) throw error;
      await delay(250);
    }
  }
}

/**
 * Returns the URL of the engine running on the data directory, for the account that owns it; undefined if none is
 * running.
 */
export async function runningPostgresUrl(dataDir: string): Promise<string | undefined> {
  const password = await readText(join(dataDir, 'password'));
  if (password === undefined) return undefined;
  for (const socketDirectory of await recordedSocketDirectories(dataDir)) {
    const url = urlOf(password, socketDirectory);
    if (await isPostgresServing({ url })) return url;
  }
  return undefined;
}

function urlOf(password: string, socketDirectory: string): string {
  return `postgres://${ROLE}:${password}@${encodeURIComponent(socketDirectory)}:${SOCKET_PORT}/${DATABASE}?sslmode=disable`;
}

async function startOnce(dataDir: string, options: PostgresEngineOptions): Promise<PostgresEngine> {
  const { administrator, logger } = options;
  const account = await clusterAccount(dataDir);
  const madeBy = await clusterMajor(dataDir);
  const programs = await findPrograms({ configured: options.programs, madeBy, copiesFor: dataDir, account });
  let socketDirectory: string | undefined;
  let engine: Engine | undefined;
  const remove = async () => {
    await programs.release();
    if (socketDirectory !== undefined) await removeRuntimeDirectory(socketDirectory);
  };
  try {
    const password = await prepareCluster({ dataDir, executables: programs.executables, account, administrator });
    socketDirectory = await socketDirectoryFor(dataDir, account, options.socketDirectory);
    const url = urlOf(password, socketDirectory);
    const rules = await writeAccessRules(dataDir, administrator);
    const settings = { ...SETTINGS, ...options.settings };
    const server = await spawnServer({ dataDir, rules, programs, account, socketDirectory, settings });
    engine = server;
    await firstAnswer(url, server.exited);
    const inUseNow = [socketDirectory, ...(programs.copy === undefined ? [] : [programs.copy])];
    await removeOldRuntimeDirectories(dataDir, inUseNow, [process.getuid?.(), account?.uid]);
    logStart(logger, { enginePid: server.pid, dataDir, socketDirectory }, programs);
    const { folder, source, version } = programs;
    const stop = async () => {
      await server.stop();
      await remove();
    };
    return { ...server, stop, url, socketDirectory, programs: { folder, source, version, major: programs.major } };
  } catch (error) {
    await engine?.stop();
    await remove();
    throw error;
  }
}

async function socketDirectoryFor(
  dataDir: string,
  account: Account | undefined,
  given: string | undefined,
): Promise<string> {
  if (given === undefined) return makeSocketDirectory({ dataDir, account });
  await reuseSocketDirectory(given, account);
  await removeSocket(given);
  return given;
}

interface Server {
  readonly dataDir: string;
  /** Path of pg_hba.conf. */
  readonly rules: string;
  readonly programs: UsablePrograms;
  readonly account: Account | undefined;
  readonly socketDirectory: string;
  readonly settings: Readonly<Record<string, string>>;
}

async function spawnServer({ dataDir, rules, programs, account, socketDirectory, settings }: Server): Promise<Engine> {
  const handles = [await open(clusterFolder(dataDir), 'r'), await open(rules, 'r')];
  try {
    const all = Object.entries({ ...settings, hba_file: handlePath(1), unix_socket_directories: socketDirectory });
    const args = ['-D', handlePath(0), ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    const server = [`${programs.executables}/postgres`, ...args];
    // Temporary-file cleaners skip a directory that is locked (tmpfiles.d, "age").
    const launcher = programs.copy === undefined ? [] : ['flock', '--shared', '--no-fork', programs.copy];
    const options = { account, handles, launcher };
    const child = await spawnUnprivileged('/bin/sh', ['-c', WRAPPER, 'sh', socketDirectory, ...server], options);
    return childEngine(child, { stopMs: STOP_TIMEOUT_MS, kill: () => killGroup(child.pid) });
  } finally {
    for (const handle of handles) await handle.close();
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function logStart(logger: EngineLogger | undefined, fields: object, programs: PostgresPrograms): void {
  const { folder, source, version } = programs;
  logger?.info({ ...fields, version, programs: folder, source }, 'local PostgreSQL engine started');
  if (source === 'bundled') {
    logger?.warn(
      { version, libraries: UNSUPPORTED_LIBRARIES, advice: 'apt-get install postgresql' },
      'bundled PostgreSQL uses libraries without security fixes',
    );
  }
}
