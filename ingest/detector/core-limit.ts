import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const CORE_LIMIT = /^Max core file size +(\S+) +(\S+)/m;

/** Returns the soft RLIMIT_CORE of a process, in bytes or `unlimited`; null if it cannot be read. */
export async function readCoreLimit(root: string, pid: number): Promise<string | null> {
  try {
    return CORE_LIMIT.exec(await readFile(join(root, `proc/${pid}/limits`), 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}

/**
 * Sets the soft RLIMIT_CORE of a process. Processes that it starts later inherit the limit. Node has no prlimit(2), so
 * this runs the program of util-linux. Rejects with the error code: ENOENT if the program is missing, EPERM if not
 * permitted.
 */
export function setCoreLimit(pid: number, value: string): Promise<void> {
  // Loaded on demand to save memory, because most detectors never set a limit.
  const { execFile } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve, reject) => {
    execFile('prlimit', [`--pid=${pid}`, `--core=${value}:`], (error) => {
      if (error === null) resolve();
      else if (typeof error.code === 'number') reject(Object.assign(new Error('prlimit failed'), { code: 'EPERM' }));
      else reject(error);
    });
  });
}
