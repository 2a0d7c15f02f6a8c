import type { KernelTrap } from '#schemas/events/event.ts';
import { detachedCopy } from './detached-copy.ts';
import { withoutDeleted } from './library-name.ts';
import type { Host } from './program.ts';
import { type ImageKeys, programOfImage } from './program-image.ts';
import { MAX_PROGRAM_NAME } from './program-store.ts';

/** The kernel truncates process names to 15 characters. */
const COMM_LENGTH = 15;
/** Maximum number of aliases per host: process names that stand for another executable. The oldest is dropped first. */
const MAX_ALIASES = 64;

/**
 * Returns the name of the program to which a trap line belongs: the executable if the line names one as mapped file,
 * else the program of the crashed image, else the process name. Threads and workers that rename themselves therefore
 * stay one program. Dumps contain only the process name and find the program by the alias stored here. Names are
 * truncated as the kernel truncates process names, so that `java-backend-service` matches its dump's `java-backend-se`.
 * `inLibrary`: the file is a library.
 */
export function nameTrapped(
  host: Host,
  { procname, file }: Pick<KernelTrap, 'procname' | 'file'>,
  inLibrary: boolean,
  image: ImageKeys,
): string {
  if (file === procname) return nameKnown(host, procname);
  if (file === null || file === undefined || inLibrary || !isExecutable(file)) return nameDumped(host, procname, image);
  const executable = file.length > COMM_LENGTH ? executableName(file) : file;
  if (executable !== procname) rememberAlias(host, procname, executable);
  else host.aliases?.delete(procname);
  return executable;
}

/**
 * Returns the name of the program to which a dump belongs: that of its image, else the latest alias of its process
 * name.
 */
export function nameDumped(host: Host, procname: string, image: ImageKeys): string {
  return programOfImage(host, image) ?? nameKnown(host, procname);
}

/** Returns the executable for which the process name was last an alias, else the name itself. */
export function nameKnown({ aliases }: Host, procname: string): string {
  return aliases?.get(procname) ?? procname;
}

function executableName(file: string): string {
  const path = withoutDeleted(file);
  const slash = path.lastIndexOf('/');
  return path.slice(slash + 1, slash + 1 + COMM_LENGTH);
}

/**
 * Returns true if the file is an executable. Libraries, add-ons and shared memory are mapped by many programs and name
 * none.
 */
function isExecutable(file: string): boolean {
  if (file === '' || file.startsWith('[') || file.startsWith('memfd:') || file.startsWith('SYSV')) return false;
  return !file.endsWith('.node');
}

function rememberAlias(host: Host, procname: string, program: string): void {
  if (host.aliases?.get(procname) === program) return;
  if (procname.length > MAX_PROGRAM_NAME) return;
  host.aliases ??= new Map();
  host.aliases.delete(procname);
  host.aliases.set(detachedCopy(procname, MAX_PROGRAM_NAME), detachedCopy(program, MAX_PROGRAM_NAME));
  if (host.aliases.size <= MAX_ALIASES) return;
  const oldest = host.aliases.keys().next().value;
  if (oldest !== undefined) host.aliases.delete(oldest);
}
