import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, type FileHandle, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BACKUP_USER, type EngineConfigOptions, engineConfig, engineUsers } from './clickhouse-config.ts';
import { askEngine, type EngineAddress } from './clickhouse-request.ts';
import { EngineStartError } from './engine.ts';
import { type Account, ensureOwner } from './engine-account.ts';

/**
 * The directory of the embedded ClickHouse belongs to this process's account with mode 0700, so that no other account
 * can reach its content:
 *   data/       tables; belongs to the engine's account
 *   run-*       of one start: the Unix socket, config/ (belongs to the engine's account), and the password of the backup user
 *   version     of the newest library that opened the data
 */
const RUN_PREFIX = 'run-';
const SOCKET = 'clickhouse.sock';
/** File in a run directory with the password of BACKUP_USER, for the account that owns the data directory. */
const BACKUP_PASSWORD = 'backup-password';
/** Size of sun_path without its terminating zero. */
const MAX_SOCKET_PATH_BYTES = 107;

/**
 * Creates the directories and sets their owners. Returns the path of the tables. Rejects if a newer ClickHouse wrote
 * them.
 */
export async function prepareDataDirectory(directory: string, account: Account | undefined): Promise<string> {
  const data = join(directory, 'data');
  await mkdir(data, { recursive: true, mode: 0o700 });
  await refuseNewerData(directory);
  await ensureOwner(data, account);
  await chmod(directory, 0o700);
  await chmod(data, 0o700);
  return data;
}

export interface RunDirectory {
  readonly path: string;
  /** Path of the Unix socket, short enough to connect to. Valid in this process until `remove`. */
  readonly socketPath: string;
  /** Returns whether the engine runs under Landlock. Known when the engine responds. */
  isConfined(): Promise<boolean>;
  remove(): Promise<void>;
}

/**
 * Creates the files of one start. They are separate, because the engine watches its users file: with a shared one, an
 * engine that is still running would adopt the password of the next one.
 */
export async function makeRunDirectory(
  directory: string,
  options: Omit<EngineConfigOptions, 'backupPassword'>,
  account: Account | undefined,
): Promise<RunDirectory> {
  const config = { ...options, backupPassword: randomBytes(24).toString('base64url') };
  const path = await mkdtemp(join(directory, RUN_PREFIX));
  const configDir = join(path, 'config');
  await mkdir(configDir, { mode: 0o700 });
  await writeFile(join(configDir, 'config.xml'), engineConfig(config), { mode: 0o600 });
  await writeFile(join(configDir, 'users.xml'), engineUsers(config), { mode: 0o600 });
  await ensureOwner(configDir, account);
  await writeFile(join(path, BACKUP_PASSWORD), config.backupPassword, { mode: 0o600 });
  const socket = await socketOf(path);
  return {
    path,
    socketPath: socket.path,
    isConfined: async () => Number(await readFile(join(path, 'landlock'), 'utf8')) > 0,
    async remove() {
      await socket.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/**
 * Returns a path of the socket in a run directory that fits into a socket address. Valid in this process until `close`.
 */
async function socketOf(run: string): Promise<{ readonly path: string; close(): Promise<void> }> {
  const path = join(run, SOCKET);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return { path, close: async () => {} };
  const handle: FileHandle = await open(run, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${handle.fd}/${SOCKET}`, close: () => handle.close() };
}

/** Returns where the backup user connects to the engine that runs on the directory; undefined if none is running. */
export async function backupAddress(
  directory: string,
): Promise<(EngineAddress & { close(): Promise<void> }) | undefined> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((name) => name.startsWith(RUN_PREFIX))) {
    const run = join(directory, name);
    const password = await readFile(join(run, BACKUP_PASSWORD), 'utf8').catch(() => undefined);
    if (password === undefined) continue;
    const socket = await socketOf(run);
    const address = { socketPath: socket.path, user: BACKUP_USER, password };
    const response = await askEngine(address, 'SELECT 1', AbortSignal.timeout(10_000)).catch(() => undefined);
    if (response?.status === 200) return { ...address, close: socket.close };
    await socket.close(); // The engine of this run directory was killed.
  }
  return undefined;
}

/**
 * Removes run directories of killed engines. Call it when the engine of `current` has locked the data, so that no other
 * one is in use.
 */
export async function removeOtherRuns(directory: string, current: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (name.startsWith(RUN_PREFIX) && path !== current) await rm(path, { recursive: true, force: true });
  }
}

/** Records the version of the library. Call it when the engine has opened the data. */
export async function recordVersion(directory: string): Promise<void> {
  await writeFile(join(directory, 'version'), `${libraryVersion()}\n`, { mode: 0o600 });
}

async function refuseNewerData(directory: string): Promise<void> {
  const written = await readFile(join(directory, 'version'), 'utf8').catch(() => '0.0');
  const [major = 0, minor = 0] = numbers(written);
  const [ownMajor = 0, ownMinor = 0] = numbers(libraryVersion());
  if (major > ownMajor || (major === ownMajor && minor > ownMinor))
    throw new EngineStartError(
      'failed',
      `the data in ${directory} was written by ClickHouse ${written.trim()}, which is newer than the embedded ${libraryVersion()}: install the Trapline version that wrote it, or restore a backup`,
    );
}

function numbers(version: string): number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10));
}

/** Returns the version of the package with libchdb.so, which is that of its ClickHouse, such as 26.7.3-stable.1. */
function libraryVersion(): string {
  const { version } = createRequire(import.meta.url)('@chdb/lib-linux-x64-gnu/package.json') as { version: string };
  return version;
}
