import type { KernelTrap } from '#schemas/events/event.ts';
import { detachedCopy } from './detached-copy.ts';
import { withoutDeleted } from './library-name.ts';
import type { Host } from './program.ts';
import { type ImageKeys, programOfImage } from './program-image.ts';
import { MAX_PROGRAM_NAME } from './program-store.ts';

/** The kernel keeps 15 characters of a process name. */
const COMM_LENGTH = 15;
/** How many process names of a host may stand for another executable; the oldest gives way. */
const MAX_ALIASES = 64;

/**
 * The program to which a trap line belongs: its executable where the line names a mapped file that is one, else the program whose image
 * in memory crashed, else the process name. So threads and workers that rename themselves stay one program, and the dumps, which only
 * know the process name, find it through the alias that is remembered here. Names are cut to what the kernel keeps of a process name, so that
 * `java-backend-service` and its dump's `java-backend-se` meet. `inLibrary`: whether the file is a library.
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

/** The program to which a dump belongs: that of its image in memory, else what its process name last stood for. */
export function nameDumped(host: Host, procname: string, image: ImageKeys): string {
  return programOfImage(host, image) ?? nameKnown(host, procname);
}

/** What the process name last stood for. */
export function nameKnown({ aliases }: Host, procname: string): string {
  return aliases?.get(procname) ?? procname;
}

function executableName(file: string): string {
  const path = withoutDeleted(file);
  const slash = path.lastIndexOf('/');
  return path.slice(slash + 1, slash + 1 + COMM_LENGTH);
}

/** Of a file that is no library: add-ons and shared memory are mapped by many programs and name none either. */
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
