import type { SegfaultErrorCode } from '#schemas/events/versions/v1.ts';

/**
 * Decodes the error code of an x86 page fault (arch/x86/include/asm/trap_pf.h). Bits: 0 protection fault (otherwise no
 * page found), 1 write, 2 user mode, 3 reserved bit, 4 instruction fetch, 5 protection keys.
 */
export function pageFaultCode(code: number): SegfaultErrorCode {
  return {
    access_mode: code & 4 ? 'User' : 'Kernel',
    access_type: code & 2 ? 'Write' : 'Read',
    instruction_fetch: (code & 16) !== 0,
    protection_keys_block_access: (code & 32) !== 0,
    reason: code & 1 ? 'ProtectionFault' : 'NoPageFound',
    use_of_reserved_bit: (code & 8) !== 0,
  };
}

/**
 * Returns the flags for all other traps, whose error code is a segment selector or a specific reason. The format
 * requires the flags, so none is set. The mode is User, because the kernel prints these lines for user mode only.
 */
export function noPageFault(): SegfaultErrorCode {
  return pageFaultCode(4);
}
