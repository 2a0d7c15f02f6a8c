import type { AcceptedEvent, Instant } from '#schemas/events/accepted.ts';
import type { KernelTrap } from '#schemas/events/event.ts';
import { isExplained } from '../evidence/explained-faults.ts';
import { isLibrary, withoutDeleted } from '../state/library-name.ts';

/** A crash at a place of a mapped file, the same on every host that runs the same binary. */
export interface FleetPlace {
  /** Programs whose crashes are counted together: the binary, and of a library the process name as well. */
  readonly program: string;
  readonly procname: string;
  readonly file: string;
  /** Length of the mapping: with the file name it stands for the build where that is unknown. 0 when unknown. */
  readonly size: number;
  /** GNU build id of the file; null when unknown. */
  readonly build: string | null;
  /** Offset into the mapping. */
  readonly offset: number;
  readonly hostname: string;
  readonly time: Instant;
  /** NaN when unknown. */
  readonly pid: number;
}

/** Where the fleet rule counts this event; undefined when it shows no place of a file, or where data ended instead of where the program was sent. */
export function fleetPlaceOf({ event, time }: AcceptedEvent): FleetPlace | undefined {
  const trap = event.event;
  const { hostname } = event;
  if (trap.type !== 'LinuxKernelTrap' || hostname === null || hostname === undefined) return undefined;
  const at = offsetOf(trap);
  if (at === undefined || isExplained(trap)) return undefined;
  const { procname } = trap;
  const program = isLibrary(at.file) ? `${procname} ${at.file}` : at.file;
  return { program, procname, ...at, build: buildOf(trap), hostname, time, pid: Number(trap.pid) };
}

/** An addition to the format, and therefore unchecked. */
function buildOf(trap: KernelTrap): string | null {
  const { file_build_id: build } = trap as { readonly file_build_id?: unknown };
  return typeof build === 'string' && /^[0-9a-f]{8,128}$/.test(build) ? build : null;
}

function offsetOf({
  ip,
  file: path,
  vmastart,
  vmasize,
}: KernelTrap): Pick<FleetPlace, 'file' | 'size' | 'offset'> | undefined {
  if (path === null || path === undefined || path === '' || vmastart === null || vmastart === undefined)
    return undefined;
  const offset = Number(BigInt(ip) - BigInt(vmastart));
  if (offset < 0 || !Number.isSafeInteger(offset)) return undefined;
  return { file: withoutDeleted(path), size: Number(vmasize ?? 0), offset };
}
