import { at, mismatch, type RuleCase, times } from '../rule-case.ts';

const story = (name: string, fires: boolean, key: string, expected: string, observed: string): RuleCase => ({
  name,
  events: [at(0, mismatch(key, expected, observed))],
  registers: fires ? [null] : [],
});

export const cases: readonly RuleCase[] = [
  story('dumps of fatal signals off', true, 'kernel.print-fatal-signals', '1', '0'),
  story('trap lines off, by another spelling', true, '/proc/sys/debug/exception-trace', '1', '0'),
  story('arm64 too', true, 'debug.exception_trace', 'Y', 'N'),
  story('a larger rate-limit interval', true, 'kernel.printk_ratelimit', '5', '600'),
  story('a smaller burst', true, 'kernel.printk_ratelimit_burst', '10', '1'),
  story('a lower console level', true, 'kernel.printk', '7 4 1 7', '1 4 1 7'),
  story('writing to the log forbidden', true, 'kernel.printk_devkmsg', 'on', 'off'),
  story('the ring closed to the detector', true, 'kernel.dmesg_restrict', '0', '1'),
  story('times off', true, '/sys/module/printk/parameters/time', 'Y', 'N'),
  story('cores to nowhere', true, 'kernel.core_pattern', '/var/crash/core.%p', '|/bin/false'),
  story('cores of privileged programs off', true, 'fs.suid_dumpable', '2', '0'),
  story('no room for cores', true, 'RLIMIT_CORE', 'unlimited', '0'),
  story('less room for cores, soft and hard limit', true, 'RLIMIT_CORE', 'unlimited:unlimited', '4096:unlimited'),
  story('more room for cores', false, 'RLIMIT_CORE', '0', 'unlimited'),
  story('cores of privileged programs, written otherwise', false, 'fs.suid_dumpable', '2', '1'),
  story('an unknown setting about dumps, off', true, 'vendor.coredump.enable', 'true', 'false'),
  {
    name: 'one setting reported every minute is one detection',
    events: times(30, (i) => at(i * 60, mismatch('kernel.print-fatal-signals', '1', '0'))),
    registers: [null],
  },
  {
    name: 'two settings are two',
    events: [
      at(0, mismatch('kernel.print-fatal-signals', '1', '0')),
      at(1, mismatch('debug.exception-trace', '1', '0')),
    ],
    registers: [null, null],
  },
  story('a setting that cannot be read any more', true, 'kernel.print-fatal-signals', '1', 'ENOENT'),
  story('a louder dump', false, 'kernel.print-fatal-signals', '1', '2'),
  story('more evidence than asked for', false, 'kernel.print-fatal-signals', '0', '1'),
  story('the rate limit off', false, 'kernel.printk_ratelimit', '5', '0'),
  story('a larger burst', false, 'kernel.printk_ratelimit_burst', '10', '1000'),
  story('a chattier console', false, 'kernel.printk', '4 4 1 7', '7 4 1 7'),
  story('a setting that hides nothing', false, 'vm.swappiness', '60', '10'),
  story('cores piped to another collector', false, 'kernel.core_pattern', 'core', '|/usr/lib/systemd/systemd-coredump'),
  story('an unknown setting about dumps that stays on', false, 'vendor.coredump.limit', '10', '20'),
];
