import { parseAddress } from './address.ts';
import { isAccessDenied, pageAccess } from './page-access.ts';
import { noPageFault } from './page-fault-code.ts';
import { readMapping } from './read-mapping.ts';
import type { UserFault } from './user-fault.ts';

/** arch/riscv/kernel/traps.c and arch/csky/kernel/traps.c, do_trap: `comm[pid]: unhandled signal 11 code 0x1 at 0x<address> in file[…]` */
const SIGNAL = /\[(\d{1,10})\]: unhandled signal (\d{1,2}) code 0x([0-9a-f]{1,8}) at 0x([0-9a-f]{1,16})/;

const SIGILL = 4;
const SIGSEGV = 11;
/** Values of scause in the privileged architecture: instruction faults and store faults. */
const FETCH_FAULTS: ReadonlySet<number | null> = new Set([1, 12]);
const STORE_FAULTS: ReadonlySet<number | null> = new Set([7, 15]);

/** Reads the message of a signal on riscv or csky; null for other lines. Its registers follow in rows. */
export function readRiscvSignal(text: string): UserFault | null {
  const match = SIGNAL.exec(text);
  const location = match && parseAddress(match[4] as string);
  if (!match || location === null) return null;
  const signal = Number(match[2]);
  const siCode = Number.parseInt(match[3] as string, 16);
  return {
    procname: text.slice(0, match.index).trimStart(),
    pid: Number(match[1]),
    // The address of an illegal instruction fault is the instruction itself.
    ip: signal === SIGILL ? location : null,
    mapping: readMapping(text.slice(match.index + match[0].length)),
    rowsFollow: true,
    describe({ cause }) {
      if (signal === SIGSEGV) {
        const access = { write: STORE_FAULTS.has(cause), instruction: FETCH_FAULTS.has(cause) };
        return {
          trap: { type: 'Segfault', location },
          errcode: pageAccess({ ...access, denied: isAccessDenied(siCode) }),
        };
      }
      if (signal === SIGILL) return { trap: { type: 'InvalidOpcode' }, errcode: noPageFault() };
      return { trap: { type: 'Generic', description: `unhandled signal ${signal}` }, errcode: noPageFault() };
    },
  };
}
