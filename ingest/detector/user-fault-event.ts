import type { U64 } from '#schemas/events/versions/v1.ts';
import { type Origin, trapEvent } from './build-events.ts';
import { parseAddress } from './messages/address.ts';
import type { Mapping } from './messages/read-mapping.ts';
import type { UserFault } from './messages/user-fault.ts';
import type { Growing } from './open-dumps.ts';

/** Names of registers that hold the instruction pointer: arm, riscv and mips, loongarch, parisc, s390. */
const INSTRUCTION_POINTERS = ['pc', 'epc', 'era', 'IAOQ', 'PSW'] as const;

/**
 * Builds the event of a fault on a non-x86 architecture from its first line and the following rows. If the rows are
 * missing, pointers and process id stay 0: an incomplete event is better than none.
 */
export function createUserFaultEvent(fault: UserFault, origin: Origin): Growing {
  const rows = new Map<string, string>();
  let mapping: Mapping | null = fault.mapping;
  const address = (name: string): U64 | null => {
    const value = rows.get(name);
    return value === undefined ? null : parseAddress(value);
  };

  function instructionPointer(): U64 {
    for (const name of INSTRUCTION_POINTERS) {
      const value = address(name);
      if (value !== null) return value;
    }
    return fault.ip ?? 0;
  }

  return {
    kind: 'dump',
    subject: fault.procname ?? '',
    pointers: null,
    row: (row) => {
      for (const [name, value] of row.values) rows.set(name, value);
      mapping ??= row.mapping ?? null;
    },
    mapping: (later) => {
      mapping ??= later;
    },
    build: () => {
      const ip = instructionPointer();
      const cause = rows.get('cause');
      const registers = {
        ip,
        location: address('failing address'),
        cause: cause === undefined ? null : Number.parseInt(cause.slice(-8), 16),
      };
      return trapEvent(origin, {
        procname: fault.procname ?? rows.get('Comm') ?? programOf(mapping),
        pid: fault.pid ?? Number(rows.get('PID') ?? 0),
        ip,
        sp: address('sp') ?? 0,
        mapping,
        ...fault.describe(registers),
      });
    },
  };
}

/**
 * Guesses the process name if no line contains it: the file name, if it is a program and not a library. A name has at
 * most 15 bytes.
 */
function programOf(mapping: Mapping | null): string {
  if (mapping === null || /\.so(?:\.|$)/.test(mapping.file)) return '';
  return mapping.file.slice(0, 15);
}
