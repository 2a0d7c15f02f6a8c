import type { ProcessFacts } from '../attribution/process-facts.ts';

/** What a witness that is no line of the kernel's fault printers says of a crash. */
export type WitnessKind = 'stack-smashing' | 'assertion' | 'core-dump' | 'audit' | 'grsecurity';

/**
 * A crash as another source reports it:
 *  - `stack-smashing`: the C library reports a changed stack canary, or `__stack_chk_fail` is in the stack of a core dump
 *  - `assertion`: the program reports that it aborts because of a failed assertion of its own
 *  - `core-dump`, `audit`, `grsecurity`: the crash itself, by systemd-coredump or WSL, the audit subsystem, or grsecurity
 */
export interface Witness {
  readonly kind: WitnessKind;
  readonly signal: number;
  readonly pid: number;
  readonly comm: string;
  /** What it says of registers. */
  readonly registers?: Readonly<Record<string, string>>;
  readonly process?: ProcessFacts;
}
