import type { SegfaultErrorCode } from '#schemas/events/versions/v1.ts';
import { noPageFault } from './page-fault-code.ts';

/** Known properties of a page fault. Unknown flags are not set. */
export interface PageAccess {
  readonly write?: boolean;
  readonly instruction?: boolean;
  /** The page is mapped but does not allow the access. */
  readonly denied?: boolean;
}

/** Returns the flags of a user-mode page fault, for architectures without the x86 error code. */
export function pageAccess({ write = false, instruction = false, denied = false }: PageAccess): SegfaultErrorCode {
  return {
    ...noPageFault(),
    access_type: write ? 'Write' : 'Read',
    instruction_fetch: instruction,
    reason: denied ? 'ProtectionFault' : 'NoPageFound',
  };
}

/**
 * Returns true for SEGV_ACCERR. The low 16 bits are the `si_code` of SIGSEGV (include/uapi/asm-generic/siginfo.h);
 * kernels before 4.16 add the kind of signal above them.
 */
export const isAccessDenied = (siCode: number): boolean => (siCode & 0xffff) === 2;
