import type { SegfaultErrorCode } from '#schemas/events/versions/v1.ts';
import { arm32Access, arm64Access, exceptionClassOf } from '../messages/arm-access.ts';
import { type PageAccess, pageAccess } from '../messages/page-access.ts';
import { pageFaultCode } from '../messages/page-fault-code.ts';

/** Exception classes of arm64 (Arm ARM, ESR_EL1): instruction abort and data abort of the kernel itself. */
const INSTRUCTION_ABORT = 0x21;
const DATA_ABORT = 0x25;
/** Bits that the fault status of 32-bit ARM does not use. */
const ARM32_UNUSED = 0x7fff_f000;
const MISSING_PAGE: ReadonlySet<number> = new Set([5, 6, 7]);

/** Flags of a kernel fault whose report shows no page fault. The format requires the flags, so none is set. */
export function kernelCode(access: 'Read' | 'Write' = 'Read'): SegfaultErrorCode {
  return { ...pageFaultCode(0), access_type: access };
}

/** Flags of the error code of x86, which `Oops:` and `#PF: error_code()` contain. */
export function x86Code(digits: string): SegfaultErrorCode {
  return { ...pageFaultCode(Number.parseInt(digits.slice(-4), 16)), access_mode: 'Kernel' };
}

/**
 * Flags of the syndrome register of arm64, or of the fault status of 32-bit ARM. Returns null if the number is neither.
 */
export function armCode(digits: string): SegfaultErrorCode | null {
  const access = accessOf(Number.parseInt(digits.slice(-8), 16));
  return access === null ? null : { ...pageAccess(access), access_mode: 'Kernel' };
}

function accessOf(code: number): PageAccess | null {
  switch (exceptionClassOf(code)) {
    case INSTRUCTION_ABORT:
      return arm64Access(code, 'instruction');
    case DATA_ABORT:
      return arm64Access(code, 'data');
    default:
      return isArm32Status(code) ? arm32Access(code) : null;
  }
}

/** True for the fault status of a page that is missing (5 to 7) or does not allow the access. */
function isArm32Status(code: number): boolean {
  if ((code & ARM32_UNUSED) !== 0) return false;
  return arm32Access(code).denied === true || MISSING_PAGE.has(code & 0xf);
}
