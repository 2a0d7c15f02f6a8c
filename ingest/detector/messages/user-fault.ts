import type { KernelTrapType, SegfaultErrorCode, U64 } from '#schemas/events/versions/v1.ts';
import type { Mapping } from './read-mapping.ts';

/** Values from the rows after the first line of a fault. */
export interface FaultRegisters {
  /** Instruction pointer; 0 if no line contains it. */
  readonly ip: U64;
  /** The faulting address, if a separate row contains it (s390). */
  readonly location: U64 | null;
  /** Exception number, if a row contains it (riscv). */
  readonly cause: number | null;
}

/**
 * The line by which a non-x86 kernel reports a fault of a user process. Missing fields follow in separate rows, or are
 * unknown.
 */
export interface UserFault {
  /** If null, the row `CPU: … Comm: …` contains the name. */
  readonly procname: string | null;
  readonly pid: number | null;
  /** If null, a row contains the instruction pointer, or no line does. */
  readonly ip: U64 | null;
  readonly mapping: Mapping | null;
  /** If false, the event is complete without more rows. */
  readonly rowsFollow: boolean;
  describe(registers: FaultRegisters): { readonly trap: KernelTrapType; readonly errcode: SegfaultErrorCode };
}
