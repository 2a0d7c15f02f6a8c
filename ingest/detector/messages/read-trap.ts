import type { KernelTrapType, SegfaultErrorCode, U64 } from '#schemas/events/versions/v1.ts';
import { parseAddress } from './address.ts';
import { noPageFault, pageFaultCode } from './page-fault-code.ts';
import { type Mapping, readMapping } from './read-mapping.ts';

/** Facts about a trap, from any kind of kernel line. */
export interface TrapFacts {
  readonly procname: string;
  readonly pid: number;
  readonly ip: U64;
  readonly sp: U64;
  readonly trap: KernelTrapType;
  readonly errcode: SegfaultErrorCode;
  readonly mapping: Mapping | null;
}

export interface TrapMessage extends TrapFacts {
  /** True if the line does not contain the mapping, which may follow as a separate message. */
  readonly openEnded: boolean;
}

/**
 * `comm[pid]: segfault at X ip X sp X error X` (arch/x86/mm/fault.c) and `traps: comm[pid] trap invalid opcode ip:X
 * sp:X error:X` (arch/x86/kernel/traps.c; `ssp:` and a reason in cet.c). Includes `rip`/`rsp` of 2.6 and `(rpc X)` of
 * sparc. The leftmost match is printed by the kernel. A process name cannot contain such a text, because it has at most
 * 15 bytes. The description has no bracket, so a name that ends in `[1] trap x` does not match either.
 */
const TRAP =
  /\[(\d{1,10})\](:?) ([^[\]]{1,200}?) [re]?ip[: ] *([0-9a-f]{1,16}|\(null\)) (?:\(rpc [0-9a-f]+\) )?[re]?sp[: ] *([0-9a-f]{1,16}|\(null\))(?: ssp:[0-9a-f]{1,16})? error[: ] *([0-9a-f]{1,16})(?:\(([^)]{0,40})\))?/;
const SEGFAULT = /^segfault at ([0-9a-f]{1,16}|\(null\))$/;
const INVALID_OPCODE = /^(?:trap )?invalid opcode$/;
const GENERAL_PROTECTION = /^(?:trap )?general protection(?: fault)?$/;

/** Fast pre-check that avoids the regular expression for most lines. */
export function maybeTrap(text: string): boolean {
  return text.includes(' error') && text.includes('sp');
}

/** Reads a segfault or trap line of any kernel; null for other lines. */
export function readTrap(text: string): TrapMessage | null {
  const match = TRAP.exec(text);
  if (!match) return null;
  const ip = parseAddress(match[4] as string);
  const sp = parseAddress(match[5] as string);
  if (ip === null || sp === null) return null;
  const name = text.slice(0, match.index);
  // Only traps.c prints the prefix. In a segfault line, the process name may start with these letters. Spaces before
  // the name are padding of a log writer; the kernel prints none.
  const procname = (match[2] === '' ? name.replace(/^ *traps: /, '') : name).trimStart();
  const { trap, errcode } = kindOf(match[3] as string, match[6] as string, match[7]);
  const rest = text.slice(match.index + match[0].length);
  const mapping = readMapping(rest);
  return {
    procname,
    pid: Number(match[1]),
    ip,
    sp,
    trap,
    errcode,
    mapping,
    openEnded: mapping === null && rest.trim() === '',
  };
}

function kindOf(
  description: string,
  error: string,
  reason: string | undefined,
): { trap: KernelTrapType; errcode: SegfaultErrorCode } {
  const segfault = SEGFAULT.exec(description);
  const location = segfault ? parseAddress(segfault[1] as string) : null;
  if (location !== null) {
    // The format uses only the low six bits, and bitwise operators work on 32 bits, so the last four digits suffice.
    return { trap: { type: 'Segfault', location }, errcode: pageFaultCode(Number.parseInt(error.slice(-4), 16)) };
  }
  if (INVALID_OPCODE.test(description)) return { trap: { type: 'InvalidOpcode' }, errcode: noPageFault() };
  if (GENERAL_PROTECTION.test(description)) return { trap: { type: 'GeneralProtectionFault' }, errcode: noPageFault() };
  const full = reason === undefined ? description : `${description} (${reason})`;
  return { trap: { type: 'Generic', description: full }, errcode: noPageFault() };
}
