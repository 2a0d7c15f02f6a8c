import { type Address, putRegister } from '../state/address.ts';
import type { Host } from '../state/program.ts';
import { ruleMemory } from '../state/rule-memory.ts';

/**
 * System calls by which a program sends a signal to itself or others, with pid and tid in RDI and RSI: tgkill, tkill,
 * kill.
 */
const CALLS: ReadonlySet<number> = new Set([0xea, 0xc8, 0x3e]);
/** The same system calls of 32-bit programs. */
const CALLS_32: ReadonlySet<number> = new Set([0x10e, 0xee, 0x25]);
const CODE_SEGMENT_32 = '0023:';

/** Rule memory of a host whose kernel prints the system call. */
const MEMORY = 'prints-system-calls';

/** Reused for each dump. */
const call: Address = { space: 0, offset: 0 };

/** Returns true if the dump shows a system call that sends a signal. Undefined if the dump contains no system call. */
export function isSignallingCall(registers: Readonly<Record<string, string>>): boolean | undefined {
  if (!putRegister(registers.ORIG_RAX, call)) return undefined;
  const calls = registers.RIP?.startsWith(CODE_SEGMENT_32) === true ? CALLS_32 : CALLS;
  return call.space === 0 && calls.has(call.offset);
}

/**
 * Returns true if another process sent the signal, because this process was in another system call or in none. Kernels
 * of x86-64 print the system call since 4.10. They omit it if the process was in no call. The host is known to have
 * such a kernel once it has printed a system call.
 */
export function isSentByAnother(host: Host, registers: Readonly<Record<string, string>>): boolean {
  const signals = isSignallingCall(registers);
  if (signals === undefined) return registers.EFLAGS !== undefined && host.memory?.has(MEMORY) === true;
  if (host.memory?.has(MEMORY) !== true) ruleMemory(host, MEMORY).push(1);
  return !signals;
}
