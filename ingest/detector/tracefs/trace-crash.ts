import type { ProcessFacts } from '../attribution/process-facts.ts';
import type { MappingFacts } from '../attribution/process-snapshot.ts';

/** A fatal signal from the kernel's trace event `signal:signal_deliver`, with its user-space stack. */
export interface TraceCrash {
  /** Thread id in the initial pid namespace, as the kernel log prints it. */
  readonly pid: number;
  /** Null if the kernel no longer has the name (`<...>`). */
  readonly comm: string | null;
  /** Clock of printk, microseconds. */
  readonly timeUs: number;
  readonly signal: number;
  /** `si_code`: positive when the kernel sent the signal because of a fault, 0 or negative when a process sent it. */
  readonly code: number;
  /** Instruction pointer, then return addresses if the program keeps frame pointers. Hexadecimal digits. */
  readonly stack: readonly string[];
  /** Read while the process existed; null if it was already gone. */
  readonly process: ProcessFacts | null;
  /** Mapping of the instruction pointer. */
  readonly mapping: MappingFacts | null;
}
