import { appendFile, chown, lstat, mkdir, mkdtemp, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { EngineStartError } from './engine.ts';
import type { Account } from './run-unprivileged.ts';

/**
 * Prefix of directories outside the data directory, for files that need a short path or must be accessible to an
 * engine's account.
 */
const PREFIX = 'trapline-';
const NAME = /^trapline-(?:socket|programs)-[A-Za-z0-9]{6}$/;
/** File in the data directory that lists them. The next start removes those of an engine that was killed. */
const RECORD = 'runtime-directories';
/** The name of PostgreSQL's socket contains the port, although no port is used. */
export const SOCKET_PORT = 5432;
const SOCKET = `.s.PGSQL.${SOCKET_PORT}`;
/** `sun_path` of a Unix socket address has 108 bytes, including the terminating zero. */
const MAX_SOCKET_PATH_BYTES = 107;
/**
 * PostgreSQL parses a list of directories, and shells parse paths. This excludes characters that are special to either.
 */
const PLAIN_PATH = /^[\w./-]+$/;

/** Returns candidate base directories, best first. A temporary directory may be mounted noexec, or have a long path. */
export function runtimeBases(): string[] {
  return [...new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])].filter((base) => PLAIN_PATH.test(base));
}

/**
 * Creates a new directory of mode 0700 below `base` that belongs to the account. The name is random, so other users
 * cannot create it first.
 */
export async function makeRuntimeDirectory(
  base: string,
  kind: 'socket' | 'programs',
  { dataDir, account }: { readonly dataDir: string; readonly account?: Account | undefined },
): Promise<string> {
  const folder = await mkdtemp(join(base, `${PREFIX}${kind}-`));
  await appendFile(join(dataDir, RECORD), `${folder}\n`, { mode: 0o600 });
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  return folder;
}

/** Creates a directory for PostgreSQL's socket below the first base directory where that is possible. */
export async function makeSocketDirectory(options: {
  readonly dataDir: string;
  readonly account?: Account | undefined;
}): Promise<string> {
  const refusals: string[] = [];
  for (const base of runtimeBases()) {
    const bytes = Buffer.byteLength(join(base, `${PREFIX}socket-XXXXXX`, SOCKET));
    if (bytes > MAX_SOCKET_PATH_BYTES) {
      refusals.push(`${base}: the path is too long`);
      continue;
    }
    try {
      return await makeRuntimeDirectory(base, 'socket', options);
    } catch (error) {
      refusals.push(`${base}: ${(error as NodeJS.ErrnoException).code}`);
    }
  }
  throw new EngineStartError(
    'failed',
    `no directory for the Unix socket of the embedded PostgreSQL can be made (${refusals.join('; ')}): ` +
      'set TMPDIR to a directory that this user may write to',
  );
}

/** Returns the socket directories that the engine of a data directory uses, or used before it was killed. */
export async function recordedSocketDirectories(dataDir: string): Promise<string[]> {
  const recorded = await readFile(join(dataDir, RECORD), 'utf8').catch(() => '');
  return recorded.split('\n').filter((folder) => basename(folder).startsWith(`${PREFIX}socket-`));
}

/** Recreates a socket directory of an earlier start if it is missing. Rejects one that another user created. */
export async function reuseSocketDirectory(folder: string, account: Account | undefined): Promise<void> {
  const owner = account?.uid ?? process.getuid?.();
  try {
    await mkdir(folder, { mode: 0o700 });
    if (account !== undefined) await chown(folder, account.uid, account.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0)
    throw new EngineStartError('failed', `${folder} belongs to another user: restart Trapline`);
}

/**
 * Removes one of these directories. If it belongs to an engine's account, removes only its socket: as root, a recursive
 * deletion could delete files elsewhere, because the other account can replace a directory by a symbolic link.
 */
export async function removeRuntimeDirectory(folder: string): Promise<void> {
  if (!basename(folder).startsWith(`${PREFIX}socket-`)) return rm(folder, { recursive: true, force: true });
  await removeSocket(folder);
  await rmdir(folder).catch(() => {}); // Already gone, or not empty.
}

/**
 * Removes the socket of a killed server. Its lock file would block the next server if another program now has its
 * process id.
 */
export async function removeSocket(folder: string): Promise<void> {
  for (const name of [SOCKET, `${SOCKET}.lock`]) await rm(join(folder, name), { force: true });
}

/** Removes the directories of earlier starts, except those in use. Only the owner of the data directory may call it. */
export async function removeOldRuntimeDirectories(
  dataDir: string,
  inUse: readonly string[],
  owners: readonly (number | undefined)[],
): Promise<void> {
  const record = join(dataDir, RECORD);
  const recorded = (await readFile(record, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  for (const folder of recorded) {
    if (inUse.includes(folder) || !NAME.test(basename(folder))) continue;
    // After a reboot, another user may have created a directory of this name.
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory() && owners.includes(found.uid)) await removeRuntimeDirectory(folder);
  }
  await writeFile(`${record}.new`, inUse.map((folder) => `${folder}\n`).join(''), { mode: 0o600 });
  await rename(`${record}.new`, record);
}
