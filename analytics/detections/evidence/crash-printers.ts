/** kernel/signal.c: the dump of print-fatal-signals, on vendor kernels that rate-limit it. */
const DUMP_PRINTERS: ReadonlySet<string> = new Set(['print_fatal_signal', 'get_signal', 'get_signal_to_deliver']);

/**
 * The kernel's rate-limited printers of user-space faults and fatal signals, by the name before `callbacks suppressed`.
 * It is the function that calls the limiter, which differs by kernel version, architecture and inlining.
 */
const CRASH_PRINTERS: ReadonlySet<string> = new Set([
  // x86, arch/x86/mm/fault.c: the segfault line (`printk_ratelimit` before 2.6.26).
  'show_signal_msg',
  // x86, arch/x86/kernel/traps.c: invalid opcode, general protection and similar; same bucket as above.
  'show_signal',
  'do_trap',
  'do_trap_no_signal',
  'do_error_trap',
  'do_general_protection',
  'exc_general_protection',
  'gp_user_force_sig_segv',
  'fixup_iopl_exception',
  'do_sp_error',
  'math_error',
  'handle_invalid_op',
  // x86, arch/x86/kernel/cet.c and signal.c.
  'do_user_cp_fault',
  'exc_control_protection',
  'signal_fault',
  ...DUMP_PRINTERS,
  // arm64, arch/arm64/kernel/traps.c and mm/fault.c.
  'arm64_show_signal',
  'arm64_force_sig_fault',
  'arm64_notify_die',
  'force_signal_inject',
  '__do_user_fault',
  'do_undefinstr',
  'do_el0_undef',
  // powerpc, arch/powerpc/kernel/traps.c; riscv, arch/riscv/kernel/traps.c; s390 and mips likewise.
  'show_signal_msg_ratelimited',
  '_exception_pkey',
  'show_user_instructions',
  'show_unhandled_signals',
  'unhandled_signal',
  'report_user_fault',
  'user_fault',
  // Before named limiters, all callers of printk_ratelimit() shared one.
  'printk_ratelimit',
  '__printk_ratelimit',
]);

/** Names of the functions whose suppressed callbacks stand for crashes, without compiler suffixes. */
export const CRASH_PRINTER_NAMES: readonly string[] = [...CRASH_PRINTERS];

/** Returns true if suppressed callbacks of this function stand for crashes. */
export function isCrashPrinter(functionName: string): boolean {
  return CRASH_PRINTERS.has(withoutSuffix(functionName));
}

/** Returns true if suppressed callbacks of this function stand for dumps of fatal signals, not for trap lines. */
export function isDumpPrinter(functionName: string): boolean {
  return DUMP_PRINTERS.has(withoutSuffix(functionName));
}

/** Removes compiler suffixes (`.part.0`, `.isra.1`, `.constprop.0`, `.cold`). */
function withoutSuffix(functionName: string): string {
  const dot = functionName.indexOf('.');
  return dot > 0 ? functionName.slice(0, dot) : functionName;
}
