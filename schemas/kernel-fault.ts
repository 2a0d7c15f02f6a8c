import type { KernelTrap } from './events/event.ts';

/**
 * Definition of a kernel fault, used wherever traps are distinguished: a `LinuxKernelTrap` that the kernel reports about
 * its own code. It is no crash of the program in whose context it happened.
 */

/** Beginning of the kind of trap under which a kernel fault is stored. No other kind begins with it. */
export const KERNEL_FAULT_KIND = 'kernel: ';

/** Lowest address of the kernel on 32-bit machines with the smallest user space. */
const KERNEL_32 = 0x8000_0000;
const END_32 = 0x1_0000_0000;
/** First address above the user half of 64-bit machines, with the widest virtual addresses. */
const USER_END = 2n ** 56n;

/** Where the processor was when the kernel failed. Absent if the report does not show it. */
export type FaultContext = 'process' | 'interrupt' | 'kernel thread';

/** What the detector read of a kernel fault, in addition to the fields of the format. */
export interface KernelFaultFacts {
  /** First line of the report, in the words of the kernel. */
  readonly report?: string;
  /** Function with offset and length, as the kernel prints it. */
  readonly symbol?: string;
  readonly module?: string;
  readonly context?: FaultContext;
  /** Letters of the kernel's taint, without those of a pure GPL kernel. Empty if it is not tainted. */
  readonly taint?: string;
}

/**
 * Returns true if the kernel reports its own fault. The mode alone does not show it: detectors take it from the error
 * code, which lacks the user bit for some faults of programs. Such an event has a file or the stack of a program.
 */
export function isKernelFault({ errcode, file, sp }: KernelTrap): boolean {
  if (errcode.access_mode !== 'Kernel' || (file !== null && file !== undefined)) return false;
  return sp === 0 || isKernelAddress(sp);
}

/** Returns true if user space cannot contain the address, on a machine with 32 or 64 bits. */
function isKernelAddress(address: number | bigint): boolean {
  if (address >= KERNEL_32 && address < END_32) return true;
  return BigInt(address) >= USER_END;
}

/** Returns the facts in the event. Other detectors may use the name differently, so every value is checked. */
export function kernelFaultFacts(trap: KernelTrap): KernelFaultFacts {
  const { kernel_fault: facts } = trap as { readonly kernel_fault?: unknown };
  if (typeof facts !== 'object' || facts === null) return {};
  const { report, symbol, module, context, taint } = facts as Readonly<Record<string, unknown>>;
  return {
    ...(typeof report === 'string' ? { report } : {}),
    ...(typeof symbol === 'string' ? { symbol } : {}),
    ...(typeof module === 'string' ? { module } : {}),
    ...(context === 'process' || context === 'interrupt' || context === 'kernel thread' ? { context } : {}),
    ...(typeof taint === 'string' ? { taint } : {}),
  };
}
