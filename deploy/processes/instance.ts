import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

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
 * Claims the data directory: a lock file holding the process id. A lock left behind by a process that is gone is taken over.
 * Throws `DataDirectoryInUse` when its owner lives.
 */
export async function claimDataDirectory(dataDir: string): Promise<Instance> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lockFile = path.join(dataDir, 'lock');
  await takeLock(lockFile, dataDir);
  return { id: await instanceId(path.join(dataDir, 'instance')), release: () => rm(lockFile, { force: true }) };
}

async function takeLock(lockFile: string, dataDir: string): Promise<void> {
  const mine = `${process.pid} ${await startTime(process.pid)}\n`;
  for (let attempt = 0; ; attempt++) {
    try {
      const file = await open(lockFile, 'wx', 0o600);
      await file.writeFile(mine);
      await file.close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 3) throw error;
    }
    const holder = await readFile(lockFile, 'utf8').catch(() => '');
    const [pid = '', started = ''] = holder.trim().split(' ');
    if (pid !== '' && started !== '' && (await startTime(Number(pid))) === started) {
      throw new DataDirectoryInUse(
        `${dataDir} is in use by process ${pid}; stop it or set TRAPLINE_DATA_DIR to another folder`,
      );
    }
    await rm(lockFile, { force: true });
  }
}

/** Kernel start time of a process (field 22 of /proc/PID/stat): tells a process from a later one with the same id. */
async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

async function instanceId(file: string): Promise<string> {
  const known = await readFile(file, 'utf8').catch(() => '');
  if (/^[0-9a-f]{12}$/.test(known.trim())) return known.trim();
  const fresh = randomBytes(6).toString('hex');
  await writeFile(`${file}.new`, `${fresh}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return fresh;
}
