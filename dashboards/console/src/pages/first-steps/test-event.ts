/** Host of test events, which identifies them. */
export const TEST_HOST = 'first-steps';

/** Returns a crash in the form that a detector reports. A single null-pointer access, which triggers no rule. */
export function testEvent(now: Date) {
  return {
    version: 'V1',
    timestamp: now.toISOString(),
    hostname: TEST_HOST,
    event: {
      type: 'LinuxKernelTrap',
      level: 'Info',
      facility: 'Kern',
      trap: { type: 'Segfault', location: 0 },
      procname: 'test-event',
      pid: 4_242,
      ip: 94_228_340_642_178,
      sp: 140_732_893_734_864,
      errcode: {
        reason: 'NoPageFound',
        access_type: 'Read',
        access_mode: 'User',
        use_of_reserved_bit: false,
        instruction_fetch: false,
        protection_keys_block_access: false,
      },
      file: 'test-event',
      vmasize: 4_096,
      vmastart: 94_228_340_641_792,
    },
  };
}
