export interface SettingChange {
  readonly key: string;
  readonly expected: string;
  readonly observed: string;
}

type Judge = (expected: string, observed: string) => boolean;

const OFF = new Set(['', '0', 'n', 'no', 'off', 'false', 'disabled', 'none', '<missing>', 'missing', '(null)', 'null']);
const isOff = (value: string): boolean => OFF.has(value);
const isOn = (value: string): boolean => /^(?:y|yes|on|true|enabled|0*[1-9]\d*)$/.test(value);

/** On means evidence: hides when it should be on and is not clearly so, e.g. when it cannot be read any more. */
const switchedOff: Judge = (expected, observed) => !isOff(expected) && !isOn(observed) && observed !== expected;
/** The same for settings we know by half of their name only: hides when it is clearly off. */
const clearlyOff: Judge = (expected, observed) => !isOff(expected) && isOff(observed);
/** On means silence: hides when it is on and should not be. */
const switchedOn: Judge = (expected, observed) => isOff(expected) && !isOff(observed);
/** Less of it means less evidence. What is not a number hides when it is not what was set. */
const lowered: Judge = (expected, observed) => compare(expected, observed, (e, o) => o < e);
const raised: Judge = (expected, observed) => compare(expected, observed, (e, o) => o > e);
/** A rate limit's interval: 0 switches the limit off, which shows everything. */
const limitTightened: Judge = (expected, observed) =>
  observed !== '0' && (expected === '0' || raised(expected, observed));

function compare(expected: string, observed: string, hides: (expected: number, observed: number) => boolean): boolean {
  const [e, o] = [firstNumber(expected), firstNumber(observed)];
  return Number.isNaN(e) || Number.isNaN(o) ? expected !== observed : hides(e, o);
}

/** `kernel.printk` holds four numbers; the first is the level below which messages reach the console. */
function firstNumber(value: string): number {
  return value === '' ? Number.NaN : Number(value.split(/\s+/)[0]);
}

/** Core files are written to a place where they are not found. */
const coresDiscarded: Judge = (expected, observed) =>
  observed !== expected && (observed === '' || /^(?:\/dev\/|\|\s*(?:\/usr)?\/bin\/(?:true|false)\b)/.test(observed));

/** Bytes, or `unlimited`; `-1` is the same. Soft and hard limit may stand behind each other (`0:unlimited`): the soft one decides. */
const coreLimitLowered: Judge = (expected, observed) => {
  const [e, o] = [coreLimit(expected), coreLimit(observed)];
  return Number.isNaN(e) || Number.isNaN(o) ? expected !== observed : o < e;
};

function coreLimit(value: string): number {
  const soft = value.split(/[\s:]+/)[0] ?? '';
  return /^(?:unlimited|infinity|-1)$/.test(soft) ? Number.POSITIVE_INFINITY : firstNumber(soft);
}

/** From most to least special: the first name that the key contains decides. */
const SETTINGS: readonly (readonly [name: string, hides: Judge])[] = [
  // The dump of a fatal signal: the only trace of an abort.
  ['print-fatal-signals', switchedOff],
  // The line of a trap (x86, arm64, riscv); other architectures call it after user faults.
  ['exception-trace', switchedOff],
  ['show-unhandled-signals', switchedOff],
  ['userprocess_debug', switchedOff],
  // Off forbids writing to /dev/kmsg from user space, and `ratelimit` cuts it: what init and daemons say of crashes.
  ['printk_devkmsg', (expected, observed) => rank(observed) < rank(expected)],
  ['printk_ratelimit_burst', lowered],
  ['printk_ratelimit', limitTightened],
  // Milliseconds before each message: a reader falls behind and the ring overruns.
  ['printk_delay', raised],
  // Without times nothing can be ordered (`/sys/module/printk/parameters/time`).
  ['printk.time', switchedOff],
  ['parameters.time', switchedOff],
  ['ignore_loglevel', switchedOff],
  ['printk', lowered],
  // 1 keeps the ring from everyone without CAP_SYSLOG, a detector with few rights included.
  ['dmesg_restrict', raised],
  ['log_buf_len', lowered],
  ['console_loglevel', lowered],
  ['core_pattern', coresDiscarded],
  ['core_uses_pid', switchedOff],
  // 0 is off; 1 and 2 both write the cores of privileged programs.
  ['suid_dumpable', switchedOff],
  ['rlimit_core', coreLimitLowered],
  // Unknown settings about the same things: reported when they are clearly off now and were not meant to be, or silence was switched on.
  ['suppress', switchedOn],
  ['quiet', switchedOn],
  ['ratelimit', limitTightened],
  ['fatal-signal', clearlyOff],
  ['dmesg', clearlyOff],
  ['kmsg', clearlyOff],
  ['coredump', clearlyOff],
];

function rank(devkmsg: string): number {
  return isOff(devkmsg) ? 0 : devkmsg === 'ratelimit' ? 1 : 2;
}

/** `/proc/sys/kernel/print-fatal-signals`, `sysctl kernel/print_fatal_signals` and `kernel.print-fatal-signals` are one setting. */
export function normaliseKey(key: string): string {
  const path = key.trim().toLowerCase().replaceAll('/', '.');
  return path.replace(/^(?:sysctl[ :.]+)?\.?(?:proc\.sys\.|sys\.module\.)?/, '');
}

/** Whether the setting now hides evidence that it was set to show. False for changes that show more, and for settings that hide nothing. */
export function hidesEvidence(change: SettingChange): boolean {
  const key = normaliseKey(change.key);
  const dashed = key.replaceAll('_', '-');
  const judge = SETTINGS.find(([name]) => key.includes(name) || dashed.includes(name.replaceAll('_', '-')))?.[1];
  if (judge === undefined) return false;
  return judge(change.expected.trim().toLowerCase(), change.observed.trim().toLowerCase());
}
