export interface SettingChange {
  readonly key: string;
  readonly expected: string;
  readonly observed: string;
}

type Judge = (expected: string, observed: string) => boolean;

const OFF = new Set(['', '0', 'n', 'no', 'off', 'false', 'disabled', 'none', '<missing>', 'missing', '(null)', 'null']);
const isOff = (value: string): boolean => OFF.has(value);
const isOn = (value: string): boolean => /^(?:y|yes|on|true|enabled|0*[1-9]\d*)$/.test(value);

/**
 * For settings that produce evidence when on. Hides evidence if it should be on and is not certainly on, for example
 * because it is no longer readable.
 */
const switchedOff: Judge = (expected, observed) => !isOff(expected) && !isOn(observed) && observed !== expected;
/** The same for settings known only by a part of their name. Hides evidence only if it is certainly off. */
const clearlyOff: Judge = (expected, observed) => !isOff(expected) && isOff(observed);
/** For settings that suppress evidence when on. Hides evidence if it is on and should be off. */
const switchedOn: Judge = (expected, observed) => isOff(expected) && !isOff(observed);
/**
 * For numbers where a lower value gives less evidence. A value that is no number hides evidence if it differs from the
 * expected one.
 */
const lowered: Judge = (expected, observed) => compare(expected, observed, (e, o) => o < e);
const raised: Judge = (expected, observed) => compare(expected, observed, (e, o) => o > e);
/** For the interval of a rate limit. 0 disables the limit, which shows everything. */
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

/** For the place of core files. Hides evidence if they are written to a place where they are lost. */
const coresDiscarded: Judge = (expected, observed) =>
  observed !== expected && (observed === '' || /^(?:\/dev\/|\|\s*(?:\/usr)?\/bin\/(?:true|false)\b)/.test(observed));

/**
 * For the core size limit: bytes, or `unlimited`, or `-1` for the same. Soft and hard limit may be joined
 * (`0:unlimited`). The soft limit decides.
 */
const coreLimitLowered: Judge = (expected, observed) => {
  const [e, o] = [coreLimit(expected), coreLimit(observed)];
  return Number.isNaN(e) || Number.isNaN(o) ? expected !== observed : o < e;
};

function coreLimit(value: string): number {
  const soft = value.split(/[\s:]+/)[0] ?? '';
  return /^(?:unlimited|infinity|-1)$/.test(soft) ? Number.POSITIVE_INFINITY : firstNumber(soft);
}

/** From most to least specific. The first name that the key contains decides. */
const SETTINGS: readonly (readonly [name: string, hides: Judge])[] = [
  // The dump of a fatal signal: the only trace of an abort.
  ['print-fatal-signals', switchedOff],
  // The line of a trap (x86, arm64, riscv). Other architectures have another name for it.
  ['exception-trace', switchedOff],
  ['show-unhandled-signals', switchedOff],
  ['userprocess_debug', switchedOff],
  // `off` forbids writes to /dev/kmsg from user space, and `ratelimit` limits them. Init and daemons report crashes
  // there.
  ['printk_devkmsg', (expected, observed) => rank(observed) < rank(expected)],
  ['printk_ratelimit_burst', lowered],
  ['printk_ratelimit', limitTightened],
  // Delay in milliseconds before each message. With a delay, a reader falls behind and the ring buffer overruns.
  ['printk_delay', raised],
  // Without timestamps, nothing can be ordered (`/sys/module/printk/parameters/time`).
  ['printk.time', switchedOff],
  ['parameters.time', switchedOff],
  ['ignore_loglevel', switchedOff],
  ['printk', lowered],
  // 1 denies the ring buffer to all processes without CAP_SYSLOG, including a detector with few privileges.
  ['dmesg_restrict', raised],
  ['log_buf_len', lowered],
  ['console_loglevel', lowered],
  ['core_pattern', coresDiscarded],
  ['core_uses_pid', switchedOff],
  // 0 disables it. 1 and 2 both write the cores of privileged programs.
  ['suid_dumpable', switchedOff],
  ['rlimit_core', coreLimitLowered],
  // Unknown settings with related names. Reported if they are certainly off and should be on, or if a setting that
  // suppresses evidence was switched on.
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

/**
 * Returns one form for `/proc/sys/kernel/print-fatal-signals`, `sysctl kernel/print_fatal_signals` and
 * `kernel.print-fatal-signals`, which are the same setting.
 */
export function normaliseKey(key: string): string {
  const path = key.trim().toLowerCase().replaceAll('/', '.');
  return path.replace(/^(?:sysctl[ :.]+)?\.?(?:proc\.sys\.|sys\.module\.)?/, '');
}

/**
 * Returns true if the setting now hides evidence that it was configured to show. False for changes that show more
 * evidence, and for settings that hide none.
 */
export function hidesEvidence(change: SettingChange): boolean {
  const key = normaliseKey(change.key);
  const dashed = key.replaceAll('_', '-');
  const judge = SETTINGS.find(([name]) => key.includes(name) || dashed.includes(name.replaceAll('_', '-')))?.[1];
  if (judge === undefined) return false;
  return judge(change.expected.trim().toLowerCase(), change.observed.trim().toLowerCase());
}
