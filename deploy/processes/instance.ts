import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { access, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { usageError } from '../cli/command-error.ts';

/** The data directory belongs to one process at a time: its local lanes count offsets and must have one writer. */
export interface Instance {
  /** Names this data directory among all that write into the same ClickHouse; made once and kept. */
  readonly id: string;
  release(): Promise<void>;
}

/** Another live process holds the data directory. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse';
}

/**
 * Claims the data directory until the process ends, however it ends. Throws `DataDirectoryInUse` when its owner lives.
 */
export async function claimDataDirectory(dataDir: string): Promise<Instance> {
  await makeDataDirectory(dataDir);
  const lock = await takeLock(path.join(dataDir, 'lock'));
  if ('holder' in lock) {
    throw new DataDirectoryInUse(
      `${dataDir} is in use by process ${lock.holder}; stop it or set TRAPLINE_DATA_DIR to another folder`,
    );
  }
  return { id: await instanceId(path.join(dataDir, 'instance')), release: lock.release };
}

/** Makes the data directory, or makes sure that it can be written to. Rejects with a usage error that names the setting. */
async function makeDataDirectory(dataDir: string): Promise<void> {
  const folder = path.resolve(dataDir);
  const advice = 'set TRAPLINE_DATA_DIR to a folder that this user may write to';
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // On a file system that is read-only mkdir reports ENOENT; the nearest folder that exists knows why.
    const reason = code === 'ENOENT' ? await refusalOf(await nearestExisting(path.dirname(folder))) : code;
    throw usageError(`the data directory ${folder} cannot be made (${reason ?? code}): ${advice}`);
  }
  const code = await refusalOf(folder);
  if (code !== undefined) throw usageError(`the data directory ${folder} cannot be written to (${code}): ${advice}`);
}

/** The code of the error that writing into a folder meets; undefined when it succeeds. */
async function refusalOf(folder: string): Promise<string | undefined> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );
}

async function nearestExisting(folder: string): Promise<string> {
  return access(folder).then(
    () => folder,
    () => nearestExisting(path.dirname(folder)),
  );
}

/** More `ingest` processes of one data directory than this have no lasting names. */
const MAX_SEATS = 64;

/**
 * Claims a lasting name for one of several processes that share a data directory: the first seat without a live owner. A
 * process that was killed and is started again gets its seat back, and with it its partitions, without waiting for a
 * time-out. `undefined` when the directory cannot be written or all seats are taken.
 */
export async function claimSeat(dataDir: string): Promise<Instance | undefined> {
  const seats = path.join(dataDir, 'seats');
  try {
    await mkdir(seats, { recursive: true, mode: 0o700 });
    const id = await instanceId(path.join(dataDir, 'instance'));
    for (let seat = 0; seat < MAX_SEATS; seat++) {
      const lock = await takeLock(path.join(seats, String(seat)));
      if ('release' in lock) return { id: `${id}-${seat}`, release: lock.release };
    }
  } catch (error) {
    if (!['EACCES', 'EROFS', 'EPERM', 'ENOSPC'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  return undefined;
}

type Lock = { readonly release: () => Promise<void> } | { readonly holder: string };

/** Exit code of flock(1) when another process holds the lock. */
const CONFLICT = 75;

/**
 * The lock is flock(2) on an open file of this process. flock(1) takes it on the inherited descriptor; the kernel releases it when this process
 * ends, however it ends. Only accounts that may open the file can take it, and processes in other network namespaces see it too. The file is
 * never removed: a process that had opened it before could lock a file that no other process finds. Its content names the holder for people.
 */
async function takeLock(lockFile: string): Promise<Lock> {
  // A plain descriptor: nothing closes it but this process, while a FileHandle ends with its last reference.
  const fd = openSync(lockFile, constants.O_RDWR | constants.O_CREAT, 0o600);
  let locked = false;
  try {
    locked = await tryLock(fd);
    if (!locked) return { holder: readFileSync(lockFile, 'utf8').trim() || '?' };
    ftruncateSync(fd);
    writeSync(fd, `${process.pid}\n`, 0);
    return {
      async release() {
        ftruncateSync(fd);
        closeSync(fd);
      },
    };
  } finally {
    if (!locked) closeSync(fd);
  }
}

function tryLock(fd: number): Promise<boolean> {
  const locking = spawn('flock', ['--exclusive', '--nonblock', '--conflict-exit-code', String(CONFLICT), '3'], {
    stdio: ['ignore', 'ignore', 'ignore', fd],
  });
  return new Promise((resolve, reject) => {
    locking.once('error', () => reject(usageError('flock(1) cannot be started: install the package util-linux')));
    locking.once('exit', (code, signal) => {
      if (code === 0 || code === CONFLICT) resolve(code === 0);
      else
        reject(
          usageError(`the data directory cannot be locked (flock ended with ${signal ?? code}): use a local disk`),
        );
    });
  });
}

async function instanceId(file: string): Promise<string> {
  const known = await readFile(file, 'utf8').catch(() => '');
  if (/^[0-9a-f]{12}$/.test(known.trim())) return known.trim();
  const fresh = path.join(path.dirname(file), `instance.${randomBytes(6).toString('hex')}`);
  await writeFile(fresh, `${randomBytes(6).toString('hex')}\n`, { mode: 0o600 });
  // Of several processes that start at once the first one's name holds.
  await link(fresh, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(fresh, { force: true });
  return (await readFile(file, 'utf8')).trim();
}
