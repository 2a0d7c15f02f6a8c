import type { SegfaultErrorCode } from '#schemas/events/versions/v1.ts';
import { noPageFault } from './page-fault-code.ts';

/** What is known about the access of a page fault; the rest of the flags is not set. */
export interface PageAccess {
  readonly write?: boolean;
  readonly instruction?: boolean;
  /** The page is mapped and does not allow the access. */
  readonly denied?: boolean;
}

/** Flags of a user-mode page fault for architectures without the error code of x86. */
export function pageAccess({ write = false, instruction = false, denied = false }: PageAccess): SegfaultErrorCode {
  return {
    ...noPageFault(),
    access_type: write ? 'Write' : 'Read',
    instruction_fetch: instruction,
    reason: denied ? 'ProtectionFault' : 'NoPageFound',
  };
}

/** `si_code` of SIGSEGV (include/uapi/asm-generic/siginfo.h) in its low 16 bits; kernels before 4.16 add the kind of signal above. */
export const isAccessDenied = (siCode: number): boolean => (siCode & 0xffff) === 2;
