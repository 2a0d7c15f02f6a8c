import { parseAddress } from './address.ts';
import { pageAccess } from './page-access.ts';
import { readMapping } from './read-mapping.ts';
import type { UserFault } from './user-fault.ts';

/**
 * arch/mips/mm/fault.c and arch/loongarch/mm/fault.c: `do_page_fault(): sending SIGSEGV to comm for invalid read access
 * from <address>`. The address has a fixed width, because some kernels print the next row after it without a line end.
 */
const SENDING =
  /^ *do_page_fault\(\)(?: #\d)?: sending SIGSEGV to ([\s\S]{0,20}) for (?:invalid|illegal) (read|write) access (?:from|to) ([0-9a-f]{16}|[0-9a-f]{8})(?![0-9a-df])/;
/** arch/parisc/mm/fault.c: `do_page_fault() command='comm' type=15 address=0x<address> in file[…]`. */
const COMMAND =
  /^ *do_page_fault\(\)(?: pid=(\d{1,10}))? command='([\s\S]{0,20})' type=(\d{1,3}) address=0x([0-9a-f]{1,16})/;

/**
 * The next row, printed after the report without a line end: mips `epc`, loongarch `era`. The return address may follow
 * without a line end, too.
 */
const GLUED_ROW = /^(?:epc|era)\s+= ([0-9a-f]{8,16})( in [\s\S]*?\])(?=ra\s+=|\s*$)/;

/** Instruction TLB miss of parisc (arch/parisc/kernel/traps.c): the instruction fetch faulted. */
const PARISC_INSTRUCTION = 6;

/** Reads the report of a page fault on mips, loongarch or parisc; null for other lines. */
export function readPageFaultReport(text: string): UserFault | null {
  const sending = SENDING.exec(text);
  if (sending) {
    const location = parseAddress(sending[3] as string);
    const row = GLUED_ROW.exec(text.slice(sending[0].length));
    const ip = row && parseAddress(row[1] as string);
    const access = { write: sending[2] === 'write' };
    return location === null ? null : { ...fault(sending[1], null, location, row?.[2] ?? '', access), ip };
  }
  const command = COMMAND.exec(text);
  const location = command && parseAddress(command[4] as string);
  if (!command || location === null) return null;
  const pid = command[1] === undefined ? null : Number(command[1]);
  const rest = text.slice(command[0].length);
  return fault(command[2], pid, location, rest, { instruction: Number(command[3]) === PARISC_INSTRUCTION });
}

function fault(
  comm: string | undefined,
  pid: number | null,
  location: number | bigint,
  rest: string,
  access: { readonly write?: boolean; readonly instruction?: boolean },
): UserFault {
  return {
    procname: (comm ?? '').trimStart(),
    pid,
    ip: null,
    mapping: readMapping(rest),
    rowsFollow: true,
    describe: () => ({ trap: { type: 'Segfault', location }, errcode: pageAccess(access) }),
  };
}
