import { type Address, putRegister } from '../state/address.ts';
import type { Host } from '../state/program.ts';
import { ruleMemory } from '../state/rule-memory.ts';

/** System calls by which a program signals itself or others, with pid and tid in RDI and RSI: tgkill, tkill, kill. */
const CALLS: ReadonlySet<number> = new Set([0xea, 0xc8, 0x3e]);
/** The same of a 32-bit program. */
const CALLS_32: ReadonlySet<number> = new Set([0x10e, 0xee, 0x25]);
const CODE_SEGMENT_32 = '0023:';

/** Of a host whose kernel prints the system call. */
const MEMORY = 'prints-system-calls';

/** Filled again for each dump. */
const call: Address = { space: 0, offset: 0 };

/** Whether the dump shows a system call that sends a signal; undefined when it does not show the system call. */
export function isSignallingCall(registers: Readonly<Record<string, string>>): boolean | undefined {
  if (!putRegister(registers.ORIG_RAX, call)) return undefined;
  const calls = registers.RIP?.startsWith(CODE_SEGMENT_32) === true ? CALLS_32 : CALLS;
  return call.space === 0 && calls.has(call.offset);
}

/**
 * Whether another process sent the signal of the dump, because this one was in another system call or in none. Kernels of x86-64 print the system call since 4.10, and
 * leave it out of a whole dump of a process that was in no call: known of a host once it has printed one.
 */
export function isSentByAnother(host: Host, registers: Readonly<Record<string, string>>): boolean {
  const signals = isSignallingCall(registers);
  if (signals === undefined) return registers.EFLAGS !== undefined && host.memory?.has(MEMORY) === true;
  if (host.memory?.has(MEMORY) !== true) ruleMemory(host, MEMORY).push(1);
  return !signals;
}
