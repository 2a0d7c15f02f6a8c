import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url));
const run = promisify(execFile);
/** The frame pointer fixes the distance to the return address. Fortification would abort instead of overflowing. */
const COMMON = ['-O1', '-fno-omit-frame-pointer', '-U_FORTIFY_SOURCE', '-w'];

/** Maximum length of a process name in the kernel. */
export const MAX_NAME_LENGTH = 15;

/** Compiles a program of `programs/` to an executable with this name. Its processes have the same name. */
export async function compile(
  source: 'gateway' | 'crasher' | 'faulty' | 'library' | 'storm',
  folder: string,
  name: string,
  flags: readonly string[],
): Promise<string> {
  if (name.length > MAX_NAME_LENGTH) throw new Error(`${name} is longer than ${MAX_NAME_LENGTH} characters`);
  const executable = join(folder, name);
  await run('gcc', [...COMMON, ...flags, '-o', executable, join(PROGRAMS, `${source}.c`)]);
  return executable;
}

/** Begin and end of a section of an executable. */
export async function sectionOf(executable: string, section: string): Promise<{ start: bigint; end: bigint }> {
  const { stdout } = await run('readelf', ['-SW', executable]);
  const found = new RegExp(`\\] ${section.replaceAll('.', '\\.')} +\\w+ +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)`).exec(
    stdout,
  );
  if (found === null) throw new Error(`${executable} has no section ${section}`);
  const start = BigInt(`0x${found[1]}`);
  return { start, end: start + BigInt(`0x${found[2]}`) };
}
