import type { SegfaultErrorCode } from '#schemas/events/versions/v1.ts';
import { pageFaultCode } from '../messages/page-fault-code.ts';

/** Exception classes of arm64 (Arm ARM, ESR_EL1): instruction abort and data abort of the kernel itself. */
const INSTRUCTION_ABORT = 0x21;
const DATA_ABORT = 0x25;

/** Flags of a kernel fault whose report shows no page fault. The format requires the flags, so none is set. */
export function kernelCode(access: 'Read' | 'Write' = 'Read'): SegfaultErrorCode {
  return { ...pageFaultCode(0), access_type: access };
}

/** Flags of the error code of x86, which `Oops:` and `#PF: error_code()` contain. */
export function x86Code(digits: string): SegfaultErrorCode {
  return { ...pageFaultCode(Number.parseInt(digits.slice(-4), 16)), access_mode: 'Kernel' };
}

/**
 * Flags of the syndrome register of arm64, or of the fault status of 32-bit ARM. On 32-bit ARM, the kernel sets bit 31
 * for an instruction fetch, and bit 11 is a write. Returns null if the number is neither.
 */
export function armCode(digits: string): SegfaultErrorCode | null {
  const code = Number.parseInt(digits.slice(-8), 16);
  const exceptionClass = (code >>> 26) & 0x3f;
  if (exceptionClass === INSTRUCTION_ABORT || exceptionClass === DATA_ABORT)
    return flags(exceptionClass === INSTRUCTION_ABORT, (code & 0x40) !== 0, (code & 0x3c) === 0x0c);
  if ((code & 0x7fff_f000) !== 0) return null;
  const status = code & 0xf;
  const isTranslation = status === 5 || status === 7;
  const isPermission = status === 0xd || status === 0xf;
  return isTranslation || isPermission ? flags(code >>> 31 === 1, (code & 0x800) !== 0, isPermission) : null;
}

function flags(instruction: boolean, write: boolean, denied: boolean): SegfaultErrorCode {
  return {
    ...kernelCode(write && !instruction ? 'Write' : 'Read'),
    instruction_fetch: instruction,
    reason: denied ? 'ProtectionFault' : 'NoPageFound',
  };
}
