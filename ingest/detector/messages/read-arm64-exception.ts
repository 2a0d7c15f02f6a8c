import type { U64 } from '#schemas/events/versions/v1.ts';
import { parseAddress } from './address.ts';
import { arm64Access, exceptionClassOf } from './arm-access.ts';
import { pageAccess } from './page-access.ts';
import { noPageFault } from './page-fault-code.ts';
import { readMapping } from './read-mapping.ts';
import type { UserFault } from './user-fault.ts';

// arch/arm64/kernel/traps.c, arm64_show_signal: `comm[pid]: unhandled exception: <class>, ESR 0x…, <why> in file[…]`
const EXCEPTION =
  /\[(\d{1,10})\]: unhandled exception: (?:([^[\]]{1,60}), ESR 0x([0-9a-f]{8,16}), )?([^[\]]{1,120}?)(?= in |$)/;
// before 4.18: `comm[pid]: unhandled <why> (<signal>) at 0x<address>, esr 0x<esr>`
const OLD_EXCEPTION =
  /\[(\d{1,10})\]: unhandled ([^[\]]{1,120}?) \(\d{1,2}\) at 0x([0-9a-f]{1,16}), esr 0x([0-9a-f]{1,16})/;
// before 4.18, do_undefinstr and do_sp_pc_abort: `comm[pid]: undefined instruction: pc=<pc>`, `comm[pid]: <class> exception: pc=<pc> sp=<sp>`
const AT_PC = /\[(\d{1,10})\]: (undefined instruction|[^[\]:]{1,60} exception): pc=(?:0x)?([0-9a-f]{1,16}|\(null\))/;

// before 4.18, do_mem_abort: `Unhandled fault: <why> (0x<esr>) at 0x<address>`, without the process
const UNNAMED = /^ *Unhandled fault: ([^()]{1,80}) \(0x([0-9a-f]{8})\) at 0x([0-9a-f]{16})\s*$/;

const INSTRUCTION_ABORT = 0x20;
const DATA_ABORT = 0x24;
const UNKNOWN_REASON = 0x00;

/** Reads the message of an arm64 exception; null for other lines. */
export function readArm64Exception(text: string): UserFault | null {
  const match = EXCEPTION.exec(text);
  if (match) {
    const esr = match[3] === undefined ? null : Number.parseInt(match[3].slice(-8), 16);
    const description = match[2] === undefined ? (match[4] as string) : `${match[2]}, ${match[4]}`;
    const rest = text.slice(match.index + match[0].length);
    return build(text.slice(0, match.index), Number(match[1]), description, esr, null, rest);
  }
  const old = OLD_EXCEPTION.exec(text);
  if (old) {
    const esr = Number.parseInt((old[4] as string).slice(-8), 16);
    const rest = text.slice(old.index + old[0].length).replace(/^,/, '');
    const location = parseAddress(old[3] as string);
    return build(text.slice(0, old.index), Number(old[1]), old[2] as string, esr, location, rest);
  }
  return readAtPc(text) ?? readUnnamed(text);
}

/** The kernel prints the same line for its own faults. The exception class distinguishes them. */
function readUnnamed(text: string): UserFault | null {
  const match = UNNAMED.exec(text);
  if (!match) return null;
  const esr = Number.parseInt(match[2] as string, 16);
  const exceptionClass = exceptionClassOf(esr);
  if (exceptionClass !== DATA_ABORT && exceptionClass !== INSTRUCTION_ABORT) return null;
  return {
    procname: '',
    pid: 0,
    ip: null,
    mapping: null,
    rowsFollow: false,
    describe: () => ({
      trap: { type: 'Generic', description: `${match[1]} (0x${match[2]}) at 0x${match[3]}` },
      errcode: errorCode(exceptionClass, esr),
    }),
  };
}

function readAtPc(text: string): UserFault | null {
  const match = AT_PC.exec(text);
  if (!match) return null;
  const description = match[2] as string;
  return {
    procname: text.slice(0, match.index).trimStart(),
    pid: Number(match[1]),
    ip: parseAddress(match[3] as string),
    mapping: null,
    rowsFollow: false,
    describe: () => ({
      trap: description === 'undefined instruction' ? { type: 'InvalidOpcode' } : { type: 'Generic', description },
      errcode: noPageFault(),
    }),
  };
}

function build(
  procname: string,
  pid: number,
  description: string,
  esr: number | null,
  location: U64 | null,
  rest: string,
): UserFault {
  const exceptionClass = esr === null ? -1 : exceptionClassOf(esr);
  const errcode = errorCode(exceptionClass, esr ?? 0);
  return {
    procname: procname.trimStart(),
    pid,
    ip: null,
    mapping: readMapping(rest),
    rowsFollow: true,
    describe({ ip }) {
      // The faulting address of an instruction abort is the instruction itself.
      if (exceptionClass === INSTRUCTION_ABORT)
        return { trap: { type: 'Segfault', location: location ?? ip }, errcode };
      if (exceptionClass === DATA_ABORT && location !== null) return { trap: { type: 'Segfault', location }, errcode };
      if (exceptionClass === UNKNOWN_REASON && /undefined instruction/i.test(description)) {
        return { trap: { type: 'InvalidOpcode' }, errcode };
      }
      // Newer kernels do not print the accessed address of a data abort, which a segfault requires.
      return { trap: { type: 'Generic', description }, errcode };
    },
  };
}

/** Returns the flags of an abort. No flag is set for other exceptions. */
function errorCode(exceptionClass: number, esr: number) {
  if (exceptionClass === INSTRUCTION_ABORT) return pageAccess(arm64Access(esr, 'instruction'));
  return exceptionClass === DATA_ABORT ? pageAccess(arm64Access(esr, 'data')) : noPageFault();
}
