import { parseRegister } from '../state/address.ts';

/** System calls by which a program signals itself or others, with pid and tid in RDI and RSI: tgkill, tkill, kill. */
const CALLS: ReadonlySet<number> = new Set([0xea, 0xc8, 0x3e]);
/** The same of a 32-bit program. */
const CALLS_32: ReadonlySet<number> = new Set([0x10e, 0xee, 0x25]);
const CODE_SEGMENT_32 = '0023:';

/** Whether the dump shows a system call that sends a signal; undefined when it does not show the system call. Only x86-64 kernels print it. */
export function isSignallingCall(registers: Readonly<Record<string, string>>): boolean | undefined {
  const call = parseRegister(registers.ORIG_RAX);
  if (call === undefined) return undefined;
  const calls = registers.RIP?.startsWith(CODE_SEGMENT_32) === true ? CALLS_32 : CALLS;
  return call.space === 0 && calls.has(call.offset);
}
