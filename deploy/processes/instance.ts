import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, link, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
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

/** The code of the error that writing into a folder meets; undefined when there is none. */
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
 * Claims a lasting name for one of several processes that share a data directory: the first seat nobody alive sits on. A
 * process that was killed and is started again gets its seat back, and with it its partitions, without anybody waiting for a
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

/**
 * A listening socket in Linux's abstract namespace is the lock: one process at a time can bind a name, and the kernel lets go of
 * it however the process ends. The file beside it only tells people who has it.
 */
async function takeLock(lockFile: string): Promise<Lock> {
  const folder = await realpath(path.dirname(lockFile));
  const name = createHash('sha256')
    .update(path.join(folder, path.basename(lockFile)))
    .digest('hex');
  const server = createServer((socket) => socket.destroy());
  const bound = await new Promise<boolean>((resolve, reject) => {
    server.once('listening', () => resolve(true));
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ path: `\0trapline-${name}` });
  });
  if (!bound) return { holder: (await readFile(lockFile, 'utf8').catch(() => '')).trim() || '?' };
  server.unref();
  await writeFile(lockFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    async release() {
      await rm(lockFile, { force: true });
      await new Promise((resolve) => server.close(resolve));
    },
  };
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
