import type { KernelTrap } from '#schemas/events/event.ts';
import { toAddress } from '../state/address.ts';
import { NULL_AREA } from './explained-faults.ts';
import { isJump } from './placed-faults.ts';

/**
 * How certain it is that the trap ended the program on purpose, as `abort()` does elsewhere:
 * - `changed`: the processor refused a pointer to code that was changed. Such faults are rare without an attack.
 * - `refused`: the same, shown by the address of a jump.
 * - `certain` and `possible`: the program executed the trap itself.
 */
export type Deliberate = 'certain' | 'possible' | 'changed' | 'refused';

/**
 * Returns the certainty that a trap is a deliberate end of the program; undefined for other faults. A processor with a
 * shadow stack or pointer authentication ends a program whose return address differs from the pushed one. musl ends a
 * failed canary check or heap check with `hlt` in its library. That is a general protection fault at a place without
 * other privileged instructions. Elsewhere, `hlt` and `ud2` (a general protection fault, an invalid opcode) look like a
 * broken pointer or a jump to data.
 */
export function deliberateTrap(line: KernelTrap): Deliberate | undefined {
  const { trap, file } = line;
  if (trap.type === 'Generic' && CHANGED_RETURNS.some((text) => trap.description.startsWith(text))) return 'changed';
  if (trap.type === 'Segfault') return isJump(line) && hasWrongCode(line) ? 'refused' : undefined;
  const isProtection = trap.type === 'GeneralProtectionFault';
  if (!isProtection && trap.type !== 'InvalidOpcode') return undefined;
  if (file === null || file === undefined) return undefined;
  return isProtection && isMusl(file) ? 'certain' : 'possible';
}

/**
 * Returns true if the jump was to an address that arm64 makes when the authentication code of a pointer is wrong and
 * the processor does not report it: an address of the program with an error code above it. The error code is in bits 53
 * and 54, or in bits 61 and 62 where programs have no tagged addresses. Newer processors leave the difference of the
 * codes in bits 48 to 54.
 */
function hasWrongCode({ ip }: KernelTrap): boolean {
  const { space, offset } = toAddress(ip);
  const high = space === 0 ? Math.floor(offset / 2 ** 48) : -space;
  return ((high > 0 && high < 0x80) || high === 0x2000 || high === 0x4000) && offset % 2 ** 48 >= NULL_AREA;
}

/**
 * Returns true if the program executed a breakpoint in its own file. Compilers place breakpoints where a check fails
 * and where there is no code, and a detached debugger leaves some behind. The place is therefore no evidence of where
 * an attacker sent the program.
 */
export function isBreakpoint({ trap, file }: KernelTrap): boolean {
  return trap.type === 'Generic' && trap.description === 'trap int3' && typeof file === 'string';
}

/**
 * `control protection ip:… error:1(near ret)` of x86-64 and `unhandled exception: FPAC, ESR …` of arm64 (a pointer with
 * a wrong authentication code), in the wording of the parser.
 */
const CHANGED_RETURNS = ['control protection (near ret', 'FPAC, '];

/** Returns true for musl's library. glibc names its library `libc.so.6` or `libc-2.31.so`. */
function isMusl(file: string): boolean {
  return file === 'libc.so' || file.startsWith('ld-musl-') || file.startsWith('libc.musl-');
}
