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

/** Fast pre-check that avoids the regular expressions for most lines. */
export function maybeUserFault(text: string): boolean {
  return MARKS.test(text);
}

/** Reads a fault that a non-x86 kernel reports; null for other lines. */
export function readUserFault(text: string): UserFault | null {
  for (const read of READERS) {
    const fault = read(text);
    if (fault) return fault;
  }
  return null;
}
