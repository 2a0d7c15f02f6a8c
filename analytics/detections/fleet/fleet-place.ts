import type { AcceptedEvent, Instant } from '#schemas/events/accepted.ts';
import type { KernelTrap } from '#schemas/events/event.ts';
import { isExplained } from '../evidence/explained-faults.ts';
import { isLibrary, withoutDeleted } from '../state/library-name.ts';

/** A crash at a place of a mapped file. The place is the same on every host that runs the same binary. */
export interface FleetPlace {
  /** Key of the programs whose crashes are counted together: the binary, and for a library also the process name. */
  readonly program: string;
  readonly procname: string;
  readonly file: string;
  /** Length of the mapping; 0 if unknown. With the file name, it replaces an unknown build id. */
  readonly size: number;
  /** GNU build id of the file; null if unknown. */
  readonly build: string | null;
  /** Offset into the mapping, bytes. */
  readonly offset: number;
  readonly hostname: string;
  readonly time: Instant;
  /** NaN if unknown. */
  readonly pid: number;
}

/**
 * Returns where the fleet rule counts this event. Undefined if the event contains no place in a file, or shows where
 * data ended instead of where an attacker sent the program.
 */
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

/** The build id is an addition to the format, so no schema validates it. */
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
