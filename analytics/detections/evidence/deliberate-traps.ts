import type { KernelTrap } from '#schemas/events/event.ts';

/** How certain it is that the program executed the trap to end itself, as `abort()` does elsewhere. */
export type Deliberate = 'certain' | 'possible';

/**
 * Returns the certainty that a trap is a deliberate end of the program; undefined for other faults. A processor with a
 * shadow stack or pointer authentication ends a program whose return address differs from the pushed one. musl ends a
 * failed canary check or heap check with `hlt` in its library. That is a general protection fault at a place without
 * other privileged instructions. Elsewhere, `hlt` and `ud2` (a general protection fault, an invalid opcode) look like a
 * broken pointer or a jump to data.
 */
export function deliberateTrap({ trap, file }: KernelTrap): Deliberate | undefined {
  if (trap.type === 'Generic' && CHANGED_RETURNS.some((text) => trap.description.startsWith(text))) return 'certain';
  const isProtection = trap.type === 'GeneralProtectionFault';
  if (!isProtection && trap.type !== 'InvalidOpcode') return undefined;
  if (file === null || file === undefined) return undefined;
  return isProtection && isMusl(file) ? 'certain' : 'possible';
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
