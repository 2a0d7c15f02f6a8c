import { parseAddress } from './address.ts';
import { pageAccess } from './page-access.ts';
import { noPageFault } from './page-fault-code.ts';
import type { UserFault } from './user-fault.ts';

// arch/arm/mm/fault.c, __do_user_fault: `comm: unhandled page fault (11) at 0x<address>, code 0x<fsr>`; nios2 prints `cause <number>`.
const PAGE_FAULT =
  /^([\s\S]{0,20}): unhandled page fault \((\d{1,2})\) at 0x([0-9a-f]{1,16}), (?:code 0x([0-9a-f]{1,8})|cause \d+)/;
// arch/arm/kernel/traps.c, do_undefinstr: `comm (pid): undefined instruction: pc=<pc>`
const UNDEFINED = /^([\s\S]{0,20}) \((\d{1,10})\): undefined instruction: pc=(?:0x)?([0-9a-f]{1,8}|\(null\))/;

const SIGSEGV = 11;
/** arch/arm/mm/fault.h. */
const FSR_WRITE = 1 << 11;
const FSR_LPAE_STATUS = 0x3f;

/** Reads a fault of a 32-bit ARM kernel with `user_debug` on; null for other lines. */
export function readArm32Fault(text: string): UserFault | null {
  return readPageFault(text) ?? readUndefined(text);
}

function readPageFault(text: string): UserFault | null {
  const match = PAGE_FAULT.exec(text);
  const location = match && parseAddress(match[3] as string);
  if (!match || location === null) return null;
  const fsr = match[4] === undefined ? 0 : Number.parseInt(match[4], 16);
  const instruction = (fsr & 0x8000_0000) !== 0;
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
      errcode: pageAccess({ write: (fsr & FSR_WRITE) !== 0, instruction, denied: isPermissionFault(fsr) }),
    }),
  };
}

/** Short descriptors: 0xd and 0xf are permission faults. With LPAE (bit 9) the status is 0x0d to 0x0f. */
function isPermissionFault(fsr: number): boolean {
  if ((fsr & 0x200) !== 0) return (fsr & FSR_LPAE_STATUS) >= 0x0d && (fsr & FSR_LPAE_STATUS) <= 0x0f;
  return (fsr & 0x40d) === 0x00d;
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
