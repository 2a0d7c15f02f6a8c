import { pageAccess } from './page-access.ts';
import { noPageFault } from './page-fault-code.ts';
import { readMapping } from './read-mapping.ts';
import type { UserFault } from './user-fault.ts';

/**
 * arch/s390/mm/fault.c and kernel/traps.c, report_user_fault: `User process fault: interruption code 0010 ilc:2 in
 * file[…]`. Kernels before 3.16 print the code as `0x40010`. `Failing address: …` and the registers follow.
 */
const FAULT = /^ *User process fault: interruption code (?:0x)?([0-9a-f]{1,8})(?: ilc:\d)?/i;

/** Program interruption codes (z/Architecture Principles of Operation, chapter 6). */
const OPERATION = 0x01;
const PROTECTION = 0x04;
/** Segment, page, ASCE and region translation. */
const TRANSLATION: ReadonlySet<number> = new Set([0x10, 0x11, 0x38, 0x39, 0x3a, 0x3b]);

/** Reads the first line of a user fault on s390; null for other lines. */
export function readS390Fault(text: string): UserFault | null {
  const match = FAULT.exec(text);
  if (!match) return null;
  const code = Number.parseInt(match[1] as string, 16) & 0xff;
  return {
    procname: null,
    pid: null,
    ip: null,
    mapping: readMapping(text.slice(match[0].length).trimEnd()),
    rowsFollow: true,
    describe({ location }) {
      if (code === OPERATION) return { trap: { type: 'InvalidOpcode' }, errcode: noPageFault() };
      if (location !== null && (code === PROTECTION || TRANSLATION.has(code))) {
        return { trap: { type: 'Segfault', location }, errcode: pageAccess({ denied: code === PROTECTION }) };
      }
      const description = `user process fault, interruption code ${code.toString(16).padStart(4, '0')}`;
      return { trap: { type: 'Generic', description }, errcode: noPageFault() };
    },
  };
}
