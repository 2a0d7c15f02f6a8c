import type { Witness } from './witness.ts';

/** Message of the core dump handler in WSL 2. In the path, `!` stands for `/`, as in the kernel's core pattern %E. */
const CAPTURING =
  /^WSL \(\d{1,10} - CaptureCrash\): Capturing crash for pid: (\d{1,10}), executable: (![\s\S]{1,4096}), signal: (\d{1,2}), port: \d{1,5}\s*$/;
const MAX_COMM = 15;

/** Reads the report of a core dump in WSL; null for other text. */
export function readWslCrash(text: string): Witness | null {
  const match = text.startsWith('WSL (') ? CAPTURING.exec(text) : null;
  if (!match) return null;
  const executable = (match[2] as string).replaceAll('!', '/');
  return {
    kind: 'core-dump',
    signal: Number(match[3]),
    pid: Number(match[1]),
    // The line does not contain the process name, which is usually that of the executable.
    comm: executable.slice(executable.lastIndexOf('/') + 1).slice(0, MAX_COMM),
    process: { executable },
  };
}
