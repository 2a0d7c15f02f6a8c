import type { KernelTrapType, SegfaultErrorCode, U64 } from '#schemas/events/v1.ts';
import { parseAddress } from './address.ts';
import { noPageFault } from './page-fault-code.ts';
import { type Mapping, readMapping } from './read-mapping.ts';

/** An arm64 exception; instruction and stack pointer follow in rows of their own (`pc : …`, `sp : …`). */
export interface Arm64Exception {
  readonly procname: string;
  readonly pid: number;
  readonly errcode: SegfaultErrorCode;
  readonly mapping: Mapping | null;
  /** The trap, once the instruction pointer is known (an instruction abort faults on the instruction's own address). */
  trapAt(pc: U64): KernelTrapType;
}

// arch/arm64/kernel/traps.c, arm64_show_signal: `comm[pid]: unhandled exception: <class>, ESR 0x…, <why> in file[…]`
const EXCEPTION =
  /\[(\d{1,10})\]: unhandled exception: (?:([^[\]]{1,60}), ESR 0x([0-9a-f]{8,16}), )?([^[\]]{1,120}?)(?= in |$)/;
// before 4.18: `comm[pid]: unhandled <why> (<signal>) at 0x<address>, esr 0x<esr>`
const OLD_EXCEPTION =
  /\[(\d{1,10})\]: unhandled ([^[\]]{1,120}?) \(\d{1,2}\) at 0x([0-9a-f]{1,16}), esr 0x([0-9a-f]{1,16})/;

const INSTRUCTION_ABORT = 0x20;
const DATA_ABORT = 0x24;
const UNKNOWN_REASON = 0x00;

/** A cheap look before the pattern. */
export function maybeArm64Exception(text: string): boolean {
  return text.includes(']: unhandled ');
}

/** Reads the message of an arm64 exception; null when it is none. */
export function readArm64Exception(text: string): Arm64Exception | null {
  const match = EXCEPTION.exec(text);
  if (match) {
    const esr = match[3] === undefined ? null : Number.parseInt(match[3].slice(-8), 16);
    const description = match[2] === undefined ? (match[4] as string) : `${match[2]}, ${match[4]}`;
    const rest = text.slice(match.index + match[0].length);
    return build(text.slice(0, match.index), Number(match[1]), description, esr, null, rest);
  }
  const old = OLD_EXCEPTION.exec(text);
  if (!old) return null;
  const esr = Number.parseInt((old[4] as string).slice(-8), 16);
  const rest = text.slice(old.index + old[0].length).replace(/^,/, '');
  const location = parseAddress(old[3] as string);
  return build(text.slice(0, old.index), Number(old[1]), old[2] as string, esr, location, rest);
}

function build(
  procname: string,
  pid: number,
  description: string,
  esr: number | null,
  location: U64 | null,
  rest: string,
): Arm64Exception {
  const exceptionClass = esr === null ? -1 : (esr >>> 26) & 0x3f;
  return {
    procname: procname.trimStart(),
    pid,
    errcode: errorCode(exceptionClass, esr ?? 0),
    mapping: readMapping(rest),
    trapAt(pc) {
      if (exceptionClass === INSTRUCTION_ABORT) return { type: 'Segfault', location: location ?? pc };
      if (exceptionClass === DATA_ABORT && location !== null) return { type: 'Segfault', location };
      if (exceptionClass === UNKNOWN_REASON && /undefined instruction/i.test(description)) {
        return { type: 'InvalidOpcode' };
      }
      // A data abort of newer kernels does not say which address was touched, and the format asks a segfault for it.
      return { type: 'Generic', description };
    },
  };
}

/** The fault bits of the syndrome register (Arm ARM, ESR_ELx): status code 0x0c to 0x0f permission, bit 6 write. */
function errorCode(exceptionClass: number, esr: number): SegfaultErrorCode {
  const code = noPageFault();
  if (exceptionClass !== DATA_ABORT && exceptionClass !== INSTRUCTION_ABORT) return code;
  return {
    ...code,
    access_type: exceptionClass === DATA_ABORT && (esr & 0x40) !== 0 ? 'Write' : 'Read',
    instruction_fetch: exceptionClass === INSTRUCTION_ABORT,
    reason: (esr & 0x3c) === 0x0c ? 'ProtectionFault' : 'NoPageFound',
  };
}
