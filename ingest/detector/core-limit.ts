import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const CORE_LIMIT = /^Max core file size +(\S+) +(\S+)/m;

/** Soft RLIMIT_CORE of a process, in bytes or `unlimited`; null when it cannot be read. */
export async function readCoreLimit(root: string, pid: number): Promise<string | null> {
  try {
    return CORE_LIMIT.exec(await readFile(join(root, `proc/${pid}/limits`), 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}

/**
 * Sets the soft RLIMIT_CORE of a process; processes that it starts later inherit it. Node has no prlimit(2), hence the program of util-linux.
 * Rejects with the code of the failure: ENOENT without the program, EPERM without the right.
 */
export function setCoreLimit(pid: number, value: string): Promise<void> {
  // Loaded when it is needed: most detectors never set a limit, and memory counts.
  const { execFile } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve, reject) => {
    execFile('prlimit', [`--pid=${pid}`, `--core=${value}:`], (error) => {
      if (error === null) resolve();
      else if (typeof error.code === 'number') reject(Object.assign(new Error('prlimit failed'), { code: 'EPERM' }));
      else reject(error);
    });
  });
}
