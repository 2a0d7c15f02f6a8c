import { readFileSync, writeFileSync } from 'node:fs';

const FATAL_SIGNALS = '/proc/sys/kernel/print-fatal-signals';
const FAULT_LINES = '/proc/sys/debug/exception-trace';

/** Settings of the kernel that say what it logs of crashes. */
export interface KernelSettings {
  /** Switches dumps of fatal signals on or off; lines of faults are always on. */
  set(dumps: boolean): void;
  /** Whether the settings are still those: another program may have changed them. */
  hold(dumps: boolean): boolean;
  /** Gives back what held before. */
  restore(): void;
}

/** Takes the settings over, and restores them also when the process is interrupted. */
export function takeKernelSettings(): KernelSettings {
  const before = [FATAL_SIGNALS, FAULT_LINES].map((file) => [file, readFileSync(file, 'utf8')] as const);
  const restore = () => {
    for (const [file, value] of before) writeFileSync(file, value);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      restore();
      process.exit(1);
    });
  return {
    set(dumps) {
      writeFileSync(FATAL_SIGNALS, dumps ? '1\n' : '0\n');
      writeFileSync(FAULT_LINES, '1\n');
    },
    hold: (dumps) => (readFileSync(FATAL_SIGNALS, 'utf8').trim() !== '0') === dumps,
    restore,
  };
}
