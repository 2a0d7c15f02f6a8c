import { readFileSync, writeFileSync } from 'node:fs';

const FATAL_SIGNALS = '/proc/sys/kernel/print-fatal-signals';
const FAULT_LINES = '/proc/sys/debug/exception-trace';

/** Kernel settings that control the logging of crashes. */
export interface KernelSettings {
  /** Turns dumps of fatal signals on or off. Lines about faults are always on. */
  set(dumps: boolean): void;
  /** Returns true if the settings are unchanged: another program may have changed them. */
  hold(dumps: boolean): boolean;
  /** Restores the earlier settings. */
  restore(): void;
}

/** Saves the settings. Restores them also when the process is interrupted. */
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
