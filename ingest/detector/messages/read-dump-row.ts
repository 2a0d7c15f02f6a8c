import { readArchitectureRow } from './read-architecture-row.ts';
import type { Mapping } from './read-mapping.ts';

/** One row of a register dump. */
export interface DumpRow {
  /**
   * Position in the dump, increasing from row to row. Decides which of several open dumps can accept the row. A kernel
   * prints CPU, RIP, RSP, RAX, RDX, RBP, R10, R13, FS, CR2 (x86-64), CPU, EIP, EAX, ESI, DS, CR2 (i386) or CPU, pc, lr,
   * sp, x29 … x0 (arm64). For other architectures, see `read-architecture-row.ts`.
   */
  readonly stage: number;
  /** True for the last row of a user-mode dump. */
  readonly last: boolean;
  /** Name and value as printed by the kernel. */
  readonly values: readonly (readonly [string, string])[];
  /** The file mapping of the instruction pointer, if the row contains it. */
  readonly mapping?: Mapping;
}

// The name has at most 15 bytes (the kernel allows 20). Greedy, so that a name that contains ` Not tainted` is matched
// completely. A loaded crash kernel is reported after it (`Kdump: loaded`, since 4.9). Some vendors' kernels omit the
// taint, so the version follows.
const CPU_LINE =
  /^CPU: (\d+)(?: UID: (\d+))? PID: (\d+) Comm: ([\s\S]{0,20}) (?:Kdump: loaded )?(?:Not tainted|Tainted: | \d+\.\d+\.\d+\S* #\d)/;
const KDUMP = ' Kdump: loaded';
// arm before 3.9 pads the name to 20 characters, and the line ends after it.
const OLD_CPU_LINE = /^Pid: (\d+), comm: +(?:([\s\S]{0,20}) (?:Not tainted|Tainted: )|([\s\S]{0,20}?)\s*$)/;
const RIP = /^RIP: ([0-9a-f]{4}):\s*(?:\[<([0-9a-f]{8,16})>\]|(0x[0-9a-f]{1,16})|(\(null\)))/;
const RSP = /^RSP: ([0-9a-f]{4}:[0-9a-f]{8,16})\s+EFLAGS: ([0-9a-f]{8})(?:\s+ORIG_RAX: ([0-9a-f]{16}))?/;
const EIP = /^EIP: (?:([0-9a-f]{4}):)?\s*(?:\[<([0-9a-f]{8})>\]|(0x[0-9a-f]{1,8}))(?:.*? EFLAGS: ([0-9a-f]{8}))?/;
// Before 4.20 the selectors follow, then the control registers.
const FS = /^FS: +([0-9a-f]{16})(\([0-9a-f]+\))? +GS: *([0-9a-f]{16})/;
/** CR2 holds the address of the latest page fault. For a segfault, this is the accessed address. */
const CONTROL = /^(?:CR0: [0-9a-f]{8} )?CR2: ([0-9a-f]{8,16}) CR3: /;
const SEGMENTS_32 =
  /^DS: ([0-9a-f]{4}) ES: ([0-9a-f]{4}) FS: ([0-9a-f]{4})(?: GS: ([0-9a-f]{4}))?(?: SS: ([0-9a-f]{4}))?( EFLAGS: )?/;
/** A complete row of the x86-64 dump. One match instead of three for most rows. */
const TRIPLE = /^(R[A-Z0-9]{2}): ([0-9a-f]{16}) (R[A-Z0-9]{2}): ([0-9a-f]{16}) (R[A-Z0-9]{2}): ([0-9a-f]{16})\s*$/;
const PAIR = /\b(R[A-D]X|R[SD]I|RBP|R\d\d|E[A-D]X|E[SD]I|E[BS]P): ([0-9a-f]{8,16})\b/g;
const STAGES: Readonly<Record<string, number>> = { RAX: 4, RDX: 5, RBP: 6, R10: 7, R13: 8, EAX: 4, ESI: 5 };

/** Tests the selector for user code on x86-64 and i386. A row with another selector belongs to a kernel oops. */
const isUserCode = (selector: string): boolean => (Number.parseInt(selector, 16) & 3) === 3;

/** Reads a row of a user-mode dump. Returns null for other lines (`Code:`, hardware names, rows of a kernel oops). */
export function readDumpRow(text: string): DumpRow | null {
  const start = text.charCodeAt(0) === 32 ? text.trimStart() : text;
  switch (start.charCodeAt(0)) {
    case 67 /* C */:
    case 80 /* P */:
      return readCpuLine(start) ?? readControl(start) ?? readArchitectureRow(start);
    case 82 /* R */:
      return start.startsWith('RIP:') ? readRip(start) : start.startsWith('RSP:') ? readRsp(start) : readPairs(start);
    case 69 /* E */:
      return start.startsWith('EIP:') ? readEip(start) : readPairs(start);
    case 70 /* F */:
      {
        const match = FS.exec(start);
        return match ? row(9, match[2] === undefined, ['FS', match[1]], ['GS', match[3]]) : readArchitectureRow(start);
      }
    case 68 /* D */:
      {
        const match = SEGMENTS_32.exec(start);
        return match
          ? row(9, match[6] !== undefined, ['DS', match[1]], ['ES', match[2]], ['FS', match[3]], ['GS', match[4]])
          : null;
      }
    default:
      return readArchitectureRow(start);
  }
}

function row(stage: number, last: boolean, ...values: (readonly [string, string | undefined])[]): DumpRow {
  return { stage, last, values: values.filter((pair): pair is [string, string] => pair[1] !== undefined) };
}

function readCpuLine(text: string): DumpRow | null {
  const match = CPU_LINE.exec(text);
  if (match) {
    const comm = match[4] as string;
    const name = comm.endsWith(KDUMP) ? comm.slice(0, -KDUMP.length) : comm;
    return row(1, false, ['CPU', match[1]], ['UID', match[2]], ['PID', match[3]], ['Comm', name.trimStart()]);
  }
  const old = OLD_CPU_LINE.exec(text);
  return old ? row(1, false, ['PID', old[1]], ['Comm', (old[2] ?? old[3])?.trimStart()]) : null;
}

function readControl(text: string): DumpRow | null {
  const match = CONTROL.exec(text);
  return match ? row(10, true, ['CR2', match[1]]) : null;
}

function readRip(text: string): DumpRow | null {
  const match = RIP.exec(text);
  if (!match || !isUserCode(match[1] as string)) return null;
  // Kernels before 4.10 print `[<00007f…>]`. Converted to the newer form, so that one reader suffices.
  const value = match[2] !== undefined ? `0x${match[2]}` : (match[3] ?? '0x0');
  return row(2, false, ['RIP', `${match[1]}:${value}`]);
}

function readRsp(text: string): DumpRow | null {
  const match = RSP.exec(text);
  if (!match || !isUserCode((match[1] as string).slice(0, 4))) return null;
  return row(3, false, ['RSP', match[1]], ['EFLAGS', match[2]], ['ORIG_RAX', match[3]]);
}

function readEip(text: string): DumpRow | null {
  const match = EIP.exec(text);
  if (!match || (match[1] !== undefined && !isUserCode(match[1]))) return null;
  const value = match[2] !== undefined ? `0x${match[2]}` : match[3];
  return row(2, false, ['EIP', match[1] === undefined ? value : `${match[1]}:${value}`], ['EFLAGS', match[4]]);
}

function readPairs(text: string): DumpRow | null {
  const triple = TRIPLE.exec(text) as [string, string, string, string, string, string, string] | null;
  if (triple) {
    const [, first, a, second, b, third, c] = triple;
    const stage = STAGES[first];
    return stage === undefined
      ? null
      : {
          stage,
          last: false,
          values: [
            [first, a],
            [second, b],
            [third, c],
          ],
        };
  }
  const values: [string, string][] = [];
  for (const match of text.matchAll(PAIR)) values.push([match[1] as string, match[2] as string]);
  const stage = STAGES[values[0]?.[0] ?? ''];
  return stage === undefined ? null : { stage, last: false, values };
}
