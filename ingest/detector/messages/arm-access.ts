import type { PageAccess } from './page-access.ts';

/** arch/arm/mm/fault.h. The kernel sets the highest bit for an instruction fetch. */
const FSR_INSTRUCTION = 1 << 31;
const FSR_WRITE = 1 << 11;
const FSR_LPAE = 1 << 9;
const FSR_LPAE_STATUS = 0x3f;

/** Returns the access in the fault status of 32-bit ARM. */
export function arm32Access(fsr: number): PageAccess {
  return {
    write: (fsr & FSR_WRITE) !== 0,
    instruction: (fsr & FSR_INSTRUCTION) !== 0,
    denied: isPermissionFault(fsr),
  };
}

/** Short descriptors: 0xd and 0xf are permission faults. With LPAE the status is 0x0d to 0x0f. */
function isPermissionFault(fsr: number): boolean {
  if ((fsr & FSR_LPAE) !== 0) return (fsr & FSR_LPAE_STATUS) >= 0x0d && (fsr & FSR_LPAE_STATUS) <= 0x0f;
  return (fsr & 0x40d) === 0x00d;
}

/** Returns the exception class in the syndrome register of arm64 (Arm ARM, ESR_ELx). */
export function exceptionClassOf(esr: number): number {
  return (esr >>> 26) & 0x3f;
}

/**
 * Returns the access in the syndrome of an instruction abort or data abort of arm64: status codes 0x0c to 0x0f are
 * permission faults, bit 6 is write.
 */
export function arm64Access(esr: number, abort: 'instruction' | 'data'): PageAccess {
  return {
    write: abort === 'data' && (esr & 0x40) !== 0,
    instruction: abort === 'instruction',
    denied: (esr & 0x3c) === 0x0c,
  };
}
