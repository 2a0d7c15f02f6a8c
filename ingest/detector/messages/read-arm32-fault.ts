import { parseAddress } from './address.ts';
import { arm32Access } from './arm-access.ts';
import { pageAccess } from './page-access.ts';
import { noPageFault } from './page-fault-code.ts';
import type { UserFault } from './user-fault.ts';

// arch/arm/mm/fault.c, __do_user_fault: `comm: unhandled page fault (11) at 0x<address>, code 0x<fsr>`; nios2 prints `cause <number>`.
const PAGE_FAULT =
  /^([\s\S]{0,20}): unhandled page fault \((\d{1,2})\) at 0x([0-9a-f]{1,16}), (?:code 0x([0-9a-f]{1,8})|cause \d+)/;
// arch/arm/kernel/traps.c, do_undefinstr: `comm (pid): undefined instruction: pc=<pc>`
const UNDEFINED = /^([\s\S]{0,20}) \((\d{1,10})\): undefined instruction: pc=(?:0x)?([0-9a-f]{1,8}|\(null\))/;

const SIGSEGV = 11;

/** Reads a fault of a 32-bit ARM kernel with `user_debug` on; null for other lines. */
export function readArm32Fault(text: string): UserFault | null {
  return readPageFault(text) ?? readUndefined(text);
}

function readPageFault(text: string): UserFault | null {
  const match = PAGE_FAULT.exec(text);
  const location = match && parseAddress(match[3] as string);
  if (!match || location === null) return null;
  const fsr = match[4] === undefined ? 0 : Number.parseInt(match[4], 16);
  const segfault = Number(match[2]) === SIGSEGV;
  return {
    procname: (match[1] as string).trimStart(),
    pid: null,
    ip: null,
    mapping: null,
    rowsFollow: true,
    describe: () => ({
      trap: segfault
        ? { type: 'Segfault', location }
        : { type: 'Generic', description: `unhandled page fault (${match[2]})` },
      errcode: pageAccess(arm32Access(fsr)),
    }),
  };
}

function readUndefined(text: string): UserFault | null {
  const match = UNDEFINED.exec(text);
  if (!match) return null;
  return {
    procname: (match[1] as string).trimStart(),
    pid: Number(match[2]),
    ip: parseAddress(match[3] as string),
    mapping: null,
    rowsFollow: false,
    describe: () => ({ trap: { type: 'InvalidOpcode' }, errcode: noPageFault() }),
  };
}
