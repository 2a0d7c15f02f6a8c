import type { KernelTrap } from '#schemas/events/event.ts';

/** How surely a trap is an instruction that the program executes to end itself, as `abort()` does elsewhere. */
export type Deliberate = 'certain' | 'possible';

/**
 * Whether the trap is a deliberate end of the program, undefined for other faults. A processor with a shadow stack, or with pointer authentication, ends it when a
 * return address on the stack is not the one that was pushed. musl ends a failed canary check, and a failed heap check, with
 * `hlt` in its library: a general protection fault in a place that executes no other privileged instruction. Elsewhere `hlt` and
 * `ud2` (a general protection fault, an invalid opcode) look like a broken pointer or a jump to data.
 */
export function deliberateTrap({ trap, file }: KernelTrap): Deliberate | undefined {
  if (trap.type === 'Generic' && CHANGED_RETURNS.some((text) => trap.description.startsWith(text))) return 'certain';
  const isProtection = trap.type === 'GeneralProtectionFault';
  if (!isProtection && trap.type !== 'InvalidOpcode') return undefined;
  if (file === null || file === undefined) return undefined;
  return isProtection && isMusl(file) ? 'certain' : 'possible';
}

/**
 * Whether the program executed a breakpoint of its own file. Compilers place them where a check fails and where no code
 * is, and a debugger that is gone leaves them: the place says nothing of where the program was sent.
 */
export function isBreakpoint({ trap, file }: KernelTrap): boolean {
  return trap.type === 'Generic' && trap.description === 'trap int3' && typeof file === 'string';
}

/**
 * `control protection ip:… error:1(near ret)` of x86-64 and `unhandled exception: FPAC, ESR …` of arm64 (a pointer whose authentication code is wrong), as the
 * parser describes them.
 */
const CHANGED_RETURNS = ['control protection (near ret', 'FPAC, '];

/** glibc calls its library `libc.so.6` or `libc-2.31.so`. */
function isMusl(file: string): boolean {
  return file === 'libc.so' || file.startsWith('ld-musl-') || file.startsWith('libc.musl-');
}
