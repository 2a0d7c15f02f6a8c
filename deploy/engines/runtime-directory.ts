import { appendFile, chown, lstat, mkdir, mkdtemp, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { EngineStartError } from './engine.ts';
import type { Account } from './run-unprivileged.ts';

/** Directories outside the data directory, for what must have a short path or be reachable by an engine's account. */
const PREFIX = 'trapline-';
const NAME = /^trapline-(?:socket|programs)-[A-Za-z0-9]{6}$/;
/** File of the data directory that lists them, so that the next start removes those of an engine that was killed. */
const RECORD = 'runtime-directories';
/** PostgreSQL's name for its socket contains the port, although no port is used. */
export const SOCKET_PORT = 5432;
const SOCKET = `.s.PGSQL.${SOCKET_PORT}`;
/** `sun_path` of a Unix socket address has 108 bytes, the last of which is zero. */
const MAX_SOCKET_PATH_BYTES = 107;
/** PostgreSQL reads a list of directories, and shells read paths: characters that mean something to either are avoided. */
const PLAIN_PATH = /^[\w./-]+$/;

/** Places to try, the best first. A temporary directory may be mounted noexec, or have a long path. */
export function runtimeBases(): string[] {
  return [...new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])].filter((base) => PLAIN_PATH.test(base));
}

/** Makes a new directory of mode 0700 below `base` that belongs to the account. The name is random, so no other user can make it first. */
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

/** A directory for PostgreSQL's socket, made in the first place where that is possible. */
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

/** Socket directories that the engine of a data directory uses, or used before it was killed. */
export async function recordedSocketDirectories(dataDir: string): Promise<string[]> {
  const recorded = await readFile(join(dataDir, RECORD), 'utf8').catch(() => '');
  return recorded.split('\n').filter((folder) => basename(folder).startsWith(`${PREFIX}socket-`));
}

/** Makes a socket directory of an earlier start again, if it is gone. One that another user has made is refused. */
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
 * Removes one of these directories. One that belongs to an engine's account loses its socket only: deleting recursively as root where another
 * account can replace a directory by a symbolic link could delete files elsewhere.
 */
export async function removeRuntimeDirectory(folder: string): Promise<void> {
  if (!basename(folder).startsWith(`${PREFIX}socket-`)) return rm(folder, { recursive: true, force: true });
  await removeSocket(folder);
  await rmdir(folder).catch(() => {}); // gone already, or not empty
}

/** Removes the socket of a server that was killed. Its lock file would stop the next one when another program has got its process id. */
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
    // After a restart of the machine another user may have made a directory of this name.
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory() && owners.includes(found.uid)) await removeRuntimeDirectory(folder);
  }
  await writeFile(`${record}.new`, inUse.map((folder) => `${folder}\n`).join(''), { mode: 0o600 });
  await rename(`${record}.new`, record);
}
