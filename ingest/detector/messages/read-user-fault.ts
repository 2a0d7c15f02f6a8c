import { readArm32Fault } from './read-arm32-fault.ts';
import { readArm64Exception } from './read-arm64-exception.ts';
import { readPageFaultReport } from './read-page-fault-report.ts';
import { readPowerpcSignal } from './read-powerpc-signal.ts';
import { readRiscvSignal } from './read-riscv-signal.ts';
import { readS390Fault } from './read-s390-fault.ts';
import type { UserFault } from './user-fault.ts';

const READERS = [
  readArm64Exception,
  readRiscvSignal,
  readPowerpcSignal,
  readArm32Fault,
  readS390Fault,
  readPageFaultReport,
] as const;

const MARKS = /: unhandled |: pc=| nip |^ *(?:User process fault|Unhandled fault: |do_page_fault\(\))/;

/** Cheap test that spares nearly every line the expressions. */
export function maybeUserFault(text: string): boolean {
  return MARKS.test(text);
}

/** The fault that a line of a kernel other than x86 reports; null when it reports none. */
export function readUserFault(text: string): UserFault | null {
  for (const read of READERS) {
    const fault = read(text);
    if (fault) return fault;
  }
  return null;
}
