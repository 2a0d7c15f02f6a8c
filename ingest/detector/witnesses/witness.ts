import type { ProcessFacts } from '../attribution/process-facts.ts';

/** The kind of report, from a source other than the kernel's fault handlers. */
export type WitnessKind = 'stack-smashing' | 'assertion' | 'core-dump' | 'audit' | 'grsecurity';

/**
 * A crash as reported by another source:
 * - `stack-smashing`: the C library reports a changed stack canary, or `__stack_chk_fail` is in the stack of a core
 * dump
 * - `assertion`: the program reports that it aborts because of a failed assertion
 * - `core-dump`, `audit`, `grsecurity`: the crash itself, reported by systemd-coredump or WSL, the audit subsystem, or
 * grsecurity
 */
export interface Witness {
  readonly kind: WitnessKind;
  readonly signal: number;
  readonly pid: number;
  readonly comm: string;
  /** Register values in the report. */
  readonly registers?: Readonly<Record<string, string>>;
  readonly process?: ProcessFacts;
}
