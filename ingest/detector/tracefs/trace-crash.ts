import type { ProcessFacts } from '../attribution/process-facts.ts';
import type { MappingFacts } from '../attribution/process-snapshot.ts';

/** A fatal signal as the kernel's trace event `signal:signal_deliver` reports it, with its user-space stack. */
export interface TraceCrash {
  /** Thread id in the initial pid namespace, as the kernel log prints it. */
  readonly pid: number;
  /** Null when the kernel has forgotten the name (`<...>`). */
  readonly comm: string | null;
  /** Clock of printk, microseconds. */
  readonly timeUs: number;
  readonly signal: number;
  /** `si_code`: positive when the kernel sent the signal because of a fault, 0 or negative when a process sent it. */
  readonly code: number;
  /** Instruction pointer first, then return addresses where the program keeps frame pointers. Hexadecimal digits. */
  readonly stack: readonly string[];
  /** Read while the process still existed; null when it was gone. */
  readonly process: ProcessFacts | null;
  /** Of the instruction pointer. */
  readonly mapping: MappingFacts | null;
}
