import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { EventType, FatalSignal, KernelTrap, SegfaultErrorCode, U64 } from '#schemas/events/event.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';

/**
 * A test case of a rule: a sequence of events on which the rule must or must not fire. The cases of a rule are in
 * `<rule>.cases.ts` next to it. Each case runs with all rules. `registers` lists the `register` of the rule's
 * detections (null for none), and `others` the other rules that fire.
 */
export interface RuleCase {
  readonly name: string;
  readonly events: readonly AcceptedEvent[];
  /** One entry per detection of the rule. Empty if it must not fire. */
  readonly registers: readonly (string | null)[];
  readonly others?: readonly string[];
}

const START = 1_770_000_000;

/** Returns an event `seconds` after the start of the case. Fractions are allowed. */
export function at(seconds: number, event: EventType, hostname: string | null = 'edge-1'): AcceptedEvent {
  const micros = Math.round(seconds * 1e6);
  const time = { seconds: START + Math.floor(micros / 1e6), nanos: (((micros % 1e6) + 1e6) % 1e6) * 1000 };
  return { ok: true, event: { version: 'V1', timestamp: formatInstant(time), hostname, event }, time };
}

const ERRCODE: SegfaultErrorCode = {
  access_mode: 'User',
  access_type: 'Read',
  instruction_fetch: false,
  protection_keys_block_access: false,
  reason: 'NoPageFound',
  use_of_reserved_bit: false,
};

/** Error code of a write to an unmapped page. */
export const WRITE: SegfaultErrorCode = { ...ERRCODE, access_type: 'Write' };

/** Returns a stack pointer that depends on the program, as address randomisation draws it. */
function stackOf(procname: string): number {
  let drawn = 0;
  for (const character of procname) drawn = (drawn * 31 + character.charCodeAt(0)) % 2 ** 12;
  return 0x7ffc_0000_1000 + drawn * 2 ** 20;
}

export interface TrapFields {
  readonly ip?: U64;
  readonly sp?: U64;
  readonly errcode?: SegfaultErrorCode;
  readonly trap?: KernelTrap['trap'];
  readonly procname?: string;
  readonly pid?: number;
  readonly file?: string | null;
  readonly vmastart?: U64 | null;
  readonly vmasize?: U64 | null;
}

/** Returns a segfault of `edge-gw` in its own text at 0x401000, unless the arguments override it. */
export function trap(ip: U64, fields: TrapFields = {}): EventType {
  return {
    type: 'LinuxKernelTrap',
    errcode: ERRCODE,
    facility: 'Kern',
    level: 'Info',
    ip,
    sp: stackOf(fields.procname ?? 'edge-gw'),
    pid: 4000,
    procname: 'edge-gw',
    trap: { type: 'Segfault', location: 0 },
    file: 'edge-gw',
    vmastart: 0x40_1000,
    vmasize: 0x1000,
    ...fields,
  };
}

/** Returns a jump to an address without code. */
export function jump(target: U64, fields: TrapFields = {}): EventType {
  return trap(target, {
    errcode: { ...ERRCODE, instruction_fetch: true },
    trap: { type: 'Segfault', location: target },
    file: null,
    vmastart: null,
    vmasize: null,
    ...fields,
  });
}

/** Returns a fault of the kernel while it worked for `exploit`, as the detector reports it: a failed read. */
export function kernelFault(
  fields: TrapFields & { readonly process?: object; readonly kernel_fault?: object } = {},
): EventType {
  return trap(0, {
    procname: 'exploit',
    errcode: { ...ERRCODE, access_mode: 'Kernel' },
    trap: { type: 'Segfault', location: 0xffff_8880_1234_0000n },
    sp: 0xffff_c900_0012_3de8n,
    file: null,
    vmastart: null,
    vmasize: null,
    ...fields,
  });
}

/** Returns a fixed pseudo-random number between 0 and 1 for each `i`. */
export function random(i: number): number {
  const mixed = Math.imul(i ^ (i >>> 15) ^ 0x2545_f491, 0x9e37_79b1);
  return (Math.imul(mixed ^ (mixed >>> 13), 0x85eb_ca6b) >>> 0) / 2 ** 32;
}

/** Returns a fatal signal with the given registers, including `Comm` and `PID`. */
export function dump(registers: Record<string, string>, signal: FatalSignal['signal'] = 'SIGSEGV'): EventType {
  return {
    type: 'LinuxFatalSignal',
    facility: 'Kern',
    level: 'Info',
    signal,
    stack_dump: { Comm: 'edge-gw', PID: '4000', ...registers },
  };
}

/** Returns an abort by glibc: through tgkill, with pid and tid in RDI and RSI. */
export function abort(pid: number, image: string, comm = 'edge-gw-ssp'): EventType {
  const id = hex(pid);
  return dump(
    { Comm: comm, PID: String(pid), RIP: '0033:0x7fd70f4f1eec', RDI: id, RSI: id, ORIG_RAX: hex(0xea), FS: image },
    'SIGIOT',
  );
}

/** Returns the line in which the kernel reports the number of suppressed messages. */
export function suppressed(count: U64, functionName = 'show_signal_msg'): EventType {
  return { type: 'LinuxSuppressedCallback', count, facility: 'Kern', function_name: functionName, level: 'Warning' };
}

/** Returns an event for a setting that was changed after the detector had set it. */
export function mismatch(key: string, expected: string, observed: string): EventType {
  return { type: 'ConfigMismatch', key, expected_value: expected, observed_value: observed };
}

/** Formats a register as the kernel prints it: sixteen digits. */
export function hex(value: number | bigint): string {
  return value.toString(16).padStart(16, '0');
}

/** Returns `make(0)` to `make(count - 1)`. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
