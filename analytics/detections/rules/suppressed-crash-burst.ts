import { z } from 'zod';
import { defineRule } from '../rule.ts';

export const suppressedCrashBurst = defineRule({
  id: 'suppressed-crash-burst',
  version: 2,
  name: 'Burst of suppressed crash messages',
  severity: 'medium',
  registers: [],
  attack: [
    { tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' },
    { tactic: 'TA0040', technique: 'T1499.004', name: 'Application or System Exploitation' },
  ],
  summary:
    'The kernel suppressed far more crash messages of a host than it printed: programs die there at a rate at which single lines say little.',
  runbook: {
    nextChecks: [
      'Find the program: list the last crashes the kernel did print on this host (`trapline query events --hostname HOST --type LinuxKernelTrap`) and what restarts most (`systemctl`, the container runtime).',
      'Set `kernel.print-fatal-signals=1` on the host: its dumps are not rate-limited, so the next minutes show every crash with its registers.',
      'Compare the time with the access logs of the services of the host: thousands of crashes a minute need thousands of requests.',
      'Look for a probe detection of the host that opened later: it is the same attack seen better.',
    ],
    falsePositives: [
      'A supervisor without a pause restarts a program that dies at once: the few printed lines then name the same address every time.',
      'A fuzzing job. Put it on its own host and add an exception with an expiry.',
    ],
  },
  thresholds: z.strictObject({
    window: z
      .number()
      .positive()
      .default(60)
      .describe('Suppressed and printed crashes are compared over so many seconds'),
    quiet: z.number().positive().default(600).describe('The episode ends after so long without evidence, seconds'),
    minSuppressed: z.number().int().min(1).default(500).describe('Suppressed messages within the window'),
    minRatio: z.number().positive().default(20).describe('So many times more suppressed than printed'),
    explainedWithin: z
      .number()
      .positive()
      .default(600)
      .describe('An open probe of the host explains suppressed callbacks so long after its latest evidence, seconds'),
    highSuppressed: z.number().int().default(100_000).describe('So many suppressed messages raise it to high'),
  }),
});

export type SuppressedCrashThresholds = z.infer<typeof suppressedCrashBurst.thresholds>;

/**
 * The kernel's rate-limited printers of user-space faults and fatal signals, by the name in front of `callbacks suppressed`:
 * the function that asks the limiter, which differs with kernel version, architecture and inlining.
 */
const CRASH_PRINTERS: ReadonlySet<string> = new Set([
  // x86, arch/x86/mm/fault.c: the segfault line (`printk_ratelimit` before 2.6.26).
  'show_signal_msg',
  // x86, arch/x86/kernel/traps.c: invalid opcode, general protection and their kind; one bucket with the above.
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
  // kernel/signal.c: the dump of print-fatal-signals, where a vendor kernel limits it.
  'print_fatal_signal',
  'get_signal',
  'get_signal_to_deliver',
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
  // Before named limiters all callers of printk_ratelimit() shared one.
  'printk_ratelimit',
  '__printk_ratelimit',
]);

/** Whether callbacks of this function stand for crashes. The compiler's suffixes (`.part.0`, `.isra.1`, `.constprop.0`, `.cold`) don't count. */
export function isCrashPrinter(functionName: string): boolean {
  const dot = functionName.indexOf('.');
  return CRASH_PRINTERS.has(dot > 0 ? functionName.slice(0, dot) : functionName);
}

/** What a host's kernel printed and did not print of crashes within the window. */
export interface CrashLog {
  readonly suppressed: number;
  readonly logged: number;
}

/** Whether the suppressed messages are many, and far more than the printed ones. */
export function isSuppressedBurst(log: CrashLog, thresholds: SuppressedCrashThresholds): boolean {
  return log.suppressed >= thresholds.minSuppressed && log.suppressed >= thresholds.minRatio * log.logged;
}
