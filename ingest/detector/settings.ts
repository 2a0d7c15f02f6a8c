import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { CORE_SETTINGS } from './core-settings.ts';
import { fileSetting, type Setting } from './setting.ts';

/** Ordered, because whether a setting is good may depend on earlier ones. */
export const SETTINGS: readonly Setting[] = [
  {
    key: 'kernel.print-fatal-signals',
    ...fileSetting('proc/sys/kernel/print-fatal-signals'),
    wanted: '1',
    good: (value) => value !== '0',
    why: 'without it no fatal signal is logged: canary guessing ends in SIGABRT, which no other message shows',
  },
  {
    key: 'debug.exception-trace',
    ...fileSetting('proc/sys/debug/exception-trace'),
    wanted: '1',
    good: (value) => value !== '0',
    why: 'without it no segfault or trap line is logged',
  },
  {
    key: 'kernel.printk_ratelimit',
    ...fileSetting('proc/sys/kernel/printk_ratelimit'),
    wanted: '5',
    good: (value) => Number(value) <= 5,
    why: 'trap lines share one bucket of this many seconds: a longer one hides most of an attack',
  },
  {
    key: 'kernel.printk_ratelimit_burst',
    ...fileSetting('proc/sys/kernel/printk_ratelimit_burst'),
    wanted: '10',
    good: (value) => Number(value) >= 10,
    why: 'so many lines a bucket: a smaller one hides most of an attack',
  },
  {
    key: 'printk.time',
    ...fileSetting('sys/module/printk/parameters/time'),
    wanted: 'Y',
    good: (value) => value !== 'N',
    why: 'without it dmesg and the console show no times (records of /dev/kmsg always have one)',
  },
  ...CORE_SETTINGS,
];

/** Builds the V1 event of a setting that differs from its expected value. */
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
