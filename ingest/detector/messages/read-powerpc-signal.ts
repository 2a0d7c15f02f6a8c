import { parseAddress } from './address.ts';
import { isAccessDenied, pageAccess } from './page-access.ts';
import { noPageFault } from './page-fault-code.ts';
import { readMapping } from './read-mapping.ts';
import type { UserFault } from './user-fault.ts';

/**
 * arch/powerpc/kernel/traps.c, show_signal_msg: `comm[pid]: segfault (11) at <address> nip <ip> lr <lr> code <si_code>
 * in file[…]`. Before 4.19: `comm[pid]: unhandled signal 11 at …` with the same fields and no file.
 */
const SIGNAL =
  /\[(\d{1,10})\]: (?:([a-z ]{1,40}) \((\d{1,2})\)|unhandled signal (\d{1,2})) at ([0-9a-f]{1,16}) nip ([0-9a-f]{1,16}) lr [0-9a-f]{1,16}(?: code ([0-9a-f]{1,8}))?/;

const SIGILL = 4;
const SIGSEGV = 11;

/** Reads the message of a signal on powerpc; null for other lines. The kernel prints no stack pointer. */
export function readPowerpcSignal(text: string): UserFault | null {
  const match = SIGNAL.exec(text);
  if (!match) return null;
  const signal = Number(match[3] ?? match[4]);
  const location = parseAddress(match[5] as string);
  const ip = parseAddress(match[6] as string);
  if (location === null || ip === null) return null;
  const siCode = Number.parseInt(match[7] ?? '0', 16);
  return {
    procname: text.slice(0, match.index).trimStart(),
    pid: Number(match[1]),
    ip,
    mapping: readMapping(text.slice(match.index + match[0].length)),
    rowsFollow: false,
    describe() {
      if (signal === SIGSEGV) {
        const errcode = pageAccess({ instruction: location === ip, denied: isAccessDenied(siCode) });
        return { trap: { type: 'Segfault', location }, errcode };
      }
      if (signal === SIGILL) return { trap: { type: 'InvalidOpcode' }, errcode: noPageFault() };
      const description = match[2] ?? `unhandled signal ${signal}`;
      return { trap: { type: 'Generic', description }, errcode: noPageFault() };
    },
  };
}
