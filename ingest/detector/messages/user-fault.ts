import type { KernelTrapType, SegfaultErrorCode, U64 } from '#schemas/events/versions/v1.ts';
import type { Mapping } from './read-mapping.ts';

/** What the rows behind a fault's first line add. */
export interface FaultRegisters {
  /** Instruction pointer; 0 when no line names it. */
  readonly ip: U64;
  /** Address whose access faulted, where a row of its own names it (s390). */
  readonly location: U64 | null;
  /** Number of the exception, where a row names it (riscv). */
  readonly cause: number | null;
}

/**
 * The line by which a kernel that is not x86 reports a fault of a user process. The fields it leaves out follow in rows of their own, or
 * are not known.
 */
export interface UserFault {
  /** Null: the row `CPU: … Comm: …` names the process. */
  readonly procname: string | null;
  readonly pid: number | null;
  /** Null: a row names the instruction pointer, or nothing does. */
  readonly ip: U64 | null;
  readonly mapping: Mapping | null;
  /** Rows follow; without them the event is complete. */
  readonly rowsFollow: boolean;
  describe(registers: FaultRegisters): { readonly trap: KernelTrapType; readonly errcode: SegfaultErrorCode };
}
