import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventV1 } from '#schemas/events/v1.ts';

/** A setting of the machine that decides whether the kernel says what the detector needs to hear. */
export interface Setting {
  /** Name in ConfigMismatch events. */
  readonly key: string;
  /** Below the root. */
  readonly path: string;
  /** What `--configure` sets, unless the value found is as good. */
  readonly wanted: string;
  good(value: string): boolean;
  readonly why: string;
}

export const SETTINGS: readonly Setting[] = [
  {
    key: 'kernel.print-fatal-signals',
    path: 'proc/sys/kernel/print-fatal-signals',
    wanted: '1',
    good: (value) => value !== '0',
    why: 'without it no fatal signal is logged: canary guessing ends in SIGABRT, which nothing else tells',
  },
  {
    key: 'debug.exception-trace',
    path: 'proc/sys/debug/exception-trace',
    wanted: '1',
    good: (value) => value !== '0',
    why: 'without it no segfault or trap line is logged',
  },
  {
    key: 'kernel.printk_ratelimit',
    path: 'proc/sys/kernel/printk_ratelimit',
    wanted: '5',
    good: (value) => Number(value) <= 5,
    why: 'trap lines share one bucket of this many seconds: a longer one hides most of an attack',
  },
  {
    key: 'kernel.printk_ratelimit_burst',
    path: 'proc/sys/kernel/printk_ratelimit_burst',
    wanted: '10',
    good: (value) => Number(value) >= 10,
    why: 'so many lines a bucket: a smaller one hides most of an attack',
  },
  {
    key: 'printk.time',
    path: 'sys/module/printk/parameters/time',
    wanted: 'Y',
    good: (value) => value !== 'N',
    why: 'without it dmesg and the console show no times (records of /dev/kmsg always have one)',
  },
];

/** The value as one line; null when this kernel or container does not have the setting. */
export async function readSetting(root: string, setting: Setting): Promise<string | null> {
  try {
    return (await readFile(join(root, setting.path), 'utf8')).trim();
  } catch {
    return null;
  }
}

/** Sets a value; rejects with the system’s error when that is not allowed. */
export async function writeSetting(root: string, setting: Setting, value: string): Promise<void> {
  await writeFile(join(root, setting.path), `${value}\n`, { flag: 'r+' });
}

/** The V1 event of a setting that differs from what was set. */
export function configMismatch(
  key: string,
  expected: string,
  observed: string,
  at: { readonly timestamp: string; readonly hostname: string | null },
): EventV1 {
  return {
    version: 'V1',
    timestamp: at.timestamp,
    hostname: at.hostname,
    event: { type: 'ConfigMismatch', key, expected_value: expected, observed_value: observed },
  };
}
