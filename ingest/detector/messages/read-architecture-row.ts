import { type Mapping, readMapping } from './read-mapping.ts';

/** A register row of an architecture other than x86; see `DumpRow`. */
export interface ArchitectureRow {
  readonly stage: number;
  readonly last: boolean;
  readonly values: readonly (readonly [string, string])[];
  readonly mapping?: Mapping;
}

// Kernels before 4.15 print `pc : [<…>]`, 4.15 `pc : 0x…`.
const ARM_PAIR =
  /\b(pstate|psr|pc|lr|sp|ip|fp|x\d{1,2}|r\d{1,2}) ?: ?(?:(?:\[<)?([0-9a-f]{8,16})|0x([0-9a-f]{1,16}))\b/g;
const ARM_STAGES: Readonly<Record<string, number>> = { pstate: 2, pc: 3, lr: 4, sp: 5 };
/** Kernel addresses: the row belongs to an oops. */
const ARM64_KERNEL_PC = /^ffff[0-9a-f]{12}$/;

/** mips `epc`, loongarch `era`. The return address may follow without a line end. */
const EPC = /^(epc|era)\s+= ([0-9a-f]{8,16}) in([\s\S]*)$/;
const RETURN_ADDRESS = /ra\s+= [0-9a-f]{8,16} in/;

interface RowPattern {
  readonly pattern: RegExp;
  readonly stage: number;
  readonly last?: true;
  readonly names: readonly string[];
}

const PATTERNS: readonly RowPattern[] = [
  // arm and arm64 before 4.15. For a user process, the address has no symbol.
  { pattern: /^PC is at (?:0x)?([0-9a-f]{1,16})(?: +LR is at .*)?\s*$/, stage: 1.5, names: ['pc'] },
  // riscv, __show_regs.
  {
    pattern: /^s?epc ?: ([0-9a-f]{8,16}) ra : ([0-9a-f]{8,16}) sp : ([0-9a-f]{8,16})/,
    stage: 2,
    names: ['epc', 'ra', 'sp'],
  },
  {
    pattern: /^s?status: ([0-9a-f]{8,16}) s?badaddr: ([0-9a-f]{8,16}) s?cause: ([0-9a-f]{8,16})/,
    stage: 9,
    last: true,
    names: ['status', 'badaddr', 'cause'],
  },
  // s390.
  { pattern: /^failing address: ([0-9a-f]{1,16})/i, stage: 0.5, names: ['failing address'] },
  { pattern: /^User PSW ?: ([0-9a-f]{8,16}) ([0-9a-f]{8,16})/, stage: 2, last: true, names: ['PSW mask', 'PSW'] },
  // parisc: r30 is the stack pointer, the front of the instruction address queue the instruction pointer.
  {
    pattern: /^r28-31\s+([0-9a-f]{8,16}) ([0-9a-f]{8,16}) ([0-9a-f]{8,16})/,
    stage: 2,
    names: ['r28', 'r29', 'sp'],
  },
  { pattern: /^IASQ: [0-9a-f]+ [0-9a-f]+ IAOQ: ([0-9a-f]{8,16})/, stage: 3, last: true, names: ['IAOQ'] },
  // mips and loongarch.
  { pattern: /^ra\s+= ([0-9a-f]{8,16}) in/, stage: 3, last: true, names: ['ra'] },
];

/** Reads a row of a user-mode dump; null for everything else. `text` starts without spaces. */
export function readArchitectureRow(text: string): ArchitectureRow | null {
  for (const { pattern, stage, last = false, names } of PATTERNS) {
    const match = pattern.exec(text);
    if (match) return { stage, last, values: names.map((name, at) => [name, match[at + 1] as string] as const) };
  }
  return readEpc(text) ?? readArmPairs(text);
}

function readEpc(text: string): ArchitectureRow | null {
  const match = EPC.exec(text);
  if (!match) return null;
  const rest = match[3] as string;
  const mapping = readMapping(` in${rest}`);
  const values = [['epc', match[2] as string]] as const;
  return { stage: 2, last: RETURN_ADDRESS.test(rest), values, ...(mapping ? { mapping } : {}) };
}

function readArmPairs(text: string): ArchitectureRow | null {
  const values: [string, string][] = [];
  for (const match of text.matchAll(ARM_PAIR)) values.push([match[1] as string, (match[2] ?? match[3]) as string]);
  const [first] = values[0] ?? [];
  if (first === undefined || !text.startsWith(first)) return null;
  if (values.some(([name, value]) => name === 'pc' && ARM64_KERNEL_PC.test(value))) return null;
  const stage = ARM_STAGES[first] ?? 6 + (30 - Number(first.slice(1))) / 32;
  if (Number.isNaN(stage)) return null;
  return { stage, last: values.some(([name]) => name === 'x0' || name === 'r0'), values };
}
