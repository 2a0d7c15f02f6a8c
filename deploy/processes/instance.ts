import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { usageError } from '../cli/command-error.ts';
import { dataDirectoryProblem, makeDataDirectory } from '../data-directory.ts';

/**
 * The data directory belongs to one process at a time: its local lanes assign offsets and must have a single writer.
 */
export interface Instance {
  /** Identifies this data directory among all that write into the same ClickHouse. Created once and stored. */
  readonly id: string;
  release(): Promise<void>;
}

/** Another running process holds the data directory. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse';
}

/**
 * Claims the data directory until the process ends, however it ends. Throws `DataDirectoryInUse` if its owner is
 * running.
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

/** Maximum number of `ingest` processes with a persistent name per data directory. */
const MAX_SEATS = 64;

/**
 * Claims a persistent name for one of several processes that share a data directory: the first seat without a running
 * owner. A restarted process gets its seat back, and thus its partitions, without waiting for a timeout. Returns
 * `undefined` if the directory is not writable or all seats are taken.
 */
export async function claimSeat(dataDir: string): Promise<Instance | undefined> {
  const seats = await seatsOf(dataDir);
  if (seats === undefined) return undefined;
  const id = await instanceId(path.join(dataDir, 'instance'));
  for (let seat = 0; seat < MAX_SEATS; seat++) {
    const lock = await takeLock(path.join(seats, String(seat)));
    if ('release' in lock) return { id: `${id}-${seat}`, release: lock.release };
  }
  return undefined;
}

/**
 * Claims the seat of a configured name. Rejects with a usage error if another process of the role holds it in the same
 * data directory. Processes with other directories, or with directories that are not writable, are not detected.
 */
export async function claimNamedSeat(dataDir: string, role: string, name: string): Promise<Instance> {
  const seats = await seatsOf(dataDir);
  if (seats === undefined) return { id: name, release: async () => {} };
  const lock = await takeLock(path.join(seats, `${role}.${name}`));
  if ('holder' in lock)
    throw usageError(
      `the seat ${name} is taken by process ${lock.holder}: set TRAPLINE_SEAT to another name in each ${role} process`,
    );
  return { id: name, release: lock.release };
}

/**
 * Makes this process the only one that backs up or restores the data directory. Throws `DataDirectoryInUse` if another
 * one does.
 */
export async function claimBackup(dataDir: string): Promise<Pick<Instance, 'release'>> {
  // Without a data directory there are no engines that two backups could share.
  if ((await dataDirectoryProblem(dataDir)) !== undefined) return { release: async () => {} };
  const lock = await takeLock(path.join(dataDir, 'backup-lock'));
  if ('holder' in lock)
    throw new DataDirectoryInUse(`process ${lock.holder} backs ${dataDir} up or restores it: wait for its end`);
  return lock;
}

/** Returns the folder of the seat locks; undefined if it is not writable. */
async function seatsOf(dataDir: string): Promise<string | undefined> {
  if ((await dataDirectoryProblem(dataDir)) !== undefined) return undefined;
  const seats = path.join(dataDir, 'seats');
  try {
    await mkdir(seats, { recursive: true, mode: 0o700 });
    return seats;
  } catch (error) {
    if (!['EACCES', 'EROFS', 'EPERM', 'ENOSPC'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return undefined;
  }
}

type Lock = { readonly release: () => Promise<void> } | { readonly holder: string };

/** Exit code of flock(1) if another process holds the lock. */
const CONFLICT = 75;

/**
 * Acquires a flock(2) lock on an open file of this process. flock(1) acquires it on the inherited descriptor. The
 * kernel releases it when this process ends, however it ends. Only accounts that may open the file can acquire it, and
 * processes in other network namespaces see it, too. The file is never removed: a process that opened it earlier could
 * lock a file that no other process finds. Its content names the holder for users.
 */
async function takeLock(lockFile: string): Promise<Lock> {
  // A plain descriptor, which only this process closes. A FileHandle would be closed with its last reference.
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
  // If several processes start at the same time, the name written first is used.
  await link(fresh, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(fresh, { force: true });
  return (await readFile(file, 'utf8')).trim();
}
