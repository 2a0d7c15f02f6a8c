import type { SegfaultErrorCode, U64 } from '#schemas/events/versions/v1.ts';
import { parseAddress } from '../messages/address.ts';
import { armCode, kernelCode, x86Code } from './fault-code.ts';

/**
 * Order of the lines that begin one report: what a check of the kernel refused or found, then the page fault or the
 * failed assertion, then the exception.
 */
export const RANKS = { check: 0, fault: 1, exception: 2 } as const;
export type Rank = (typeof RANKS)[keyof typeof RANKS];

/** A line that begins the report of a kernel fault, or continues its beginning. */
export interface FaultHeader {
  readonly rank: Rank;
  /** The kernel's own words. */
  readonly words: string;
  readonly location?: U64 | null;
  readonly errcode?: SegfaultErrorCode | null;
  readonly trap?: 'GeneralProtectionFault' | 'InvalidOpcode';
  readonly uid?: number;
  readonly procname?: string;
}

type Read = (
  groups: Readonly<Record<string, string | undefined>>,
  words: string,
) => Omit<FaultHeader, 'rank' | 'words'>;
type Form = readonly [rank: Rank, pattern: RegExp, read?: Read];

const MAX_WORDS = 200;
const { check, fault, exception } = RANKS;
const address = (digits: string | undefined): U64 | null =>
  digits === undefined ? null : parseAddress(digits.startsWith('(') ? '0' : digits);
const write = (word: string | undefined) => kernelCode(word === 'write' || word === 'overwrite' ? 'Write' : 'Read');
const located: Read = ({ at }) => ({ location: address(at) });
const ofUser: Read = ({ uid }) => ({ uid: Number(uid) });
const accessed: Read = ({ access }) => ({ errcode: write(access) });

/**
 * arch/x86/mm/fault.c, arch/powerpc/mm/fault.c, mm/usercopy.c, lib/refcount.c, lib/list_debug.c, mm/kasan/report.c,
 * mm/kfence/report.c, mm/slub.c, kernel/cfi.c, arch/x86/kernel/cet.c, kernel/panic.c, lib/string_helpers.c, mm/memory.c
 * and mm/page_alloc.c; then the page faults of all architectures; then die() of x86, arm and riscv. Kernels 2.6.18 to
 * 6.18.
 */
const FORMS: readonly Form[] = [
  [
    check,
    /^kernel tried to execute (?:NX|exec)-protected page.* - exploit attempt\? \(uid: (?<uid>\d{1,10})\)/,
    ofUser,
  ],
  [check, /^unable to execute userspace code \(SMEP\?\) \(uid: (?<uid>\d{1,10})\)/, ofUser],
  [
    check,
    /^Kernel attempted to (?<access>read|write|execute|access) user page \((?<at>[0-9a-f]{1,16})\) - exploit attempt\? \(uid: (?<uid>\d{1,10})\)/,
    ({ access, at, uid }) => ({
      uid: Number(uid),
      location: address(at),
      errcode: { ...write(access), instruction_fetch: access === 'execute', reason: 'ProtectionFault' },
    }),
  ],
  [
    check,
    /^(?:usercopy: |Bad or missing usercopy whitelist\? )[Kk]ernel memory (?<access>exposure|overwrite) attempt/,
    accessed,
  ],
  [check, /^refcount_t: (?:underflow|saturated|addition on 0|increment on 0|decrement hit 0|hit 0)/],
  [check, /^list_(?:add|del) (?:corruption|double add)/],
  [check, /^BUG: KASAN: /],
  [check, /^BUG: KFENCE: \S+(?: (?<access>read|write))?/, accessed],
  [check, /^BUG \S{1,64} \((?:Not tainted|Tainted: [^)]{1,40})\): /],
  [check, /^CFI failure (?:at |\(target)/],
  [check, /^Missing ENDBR: /],
  [check, /^Kernel panic - not syncing: (?:stack-protector: |[Kk]ernel stack overflow|CFI failure)/],
  [
    check,
    /^(?:BUG: (?:TASK |IRQ )?stack guard page was hit|Insufficient stack space to handle exception|PANIC: double fault)/,
  ],
  [check, /^(?:detected buffer overflow in \w+|\w{1,20}: detected buffer overflow)/],
  [
    check,
    /^BUG: Bad page (?:map|state) in process (?<procname>[\s\S]{1,16}?) +(?:pfn|pte):/,
    ({ procname = '' }) => ({ procname }),
  ],
  [fault, /^BUG: unable to handle page fault for address: (?<at>[0-9a-f]{8,16})/, located],
  [fault, /^BUG: kernel NULL pointer dereference, address: (?<at>[0-9a-f]{8,16})/, located],
  [
    fault,
    /^BUG: unable to handle kernel (?:paging request|NULL pointer dereference) at +(?<at>[0-9a-f]{8,16}|\(null\))/,
    located,
  ],
  [fault, /^Unable to handle kernel [\w ()=-]{1,60}? at (?:virtual address )?(?<at>[0-9a-f]{8,16})/, located],
  [
    fault,
    /^BUG: (?:Unable to handle kernel|Kernel) (?:data access|NULL pointer dereference|instruction fetch)(?: on (?<access>read|write))?(?: at (?:0x)?(?<at>[0-9a-f]{8,16}))?/,
    ({ access, at }, words) => ({
      location: address(at),
      errcode: { ...write(access), instruction_fetch: words.includes('instruction fetch') },
    }),
  ],
  [fault, /^Unable to handle kernel (?:pointer dereference|paging request)/],
  [fault, /^[Kk]ernel BUG at \S{1,200}!/],
  [
    exception,
    /^(?:Oops: )?(?<kind>general protection fault|invalid opcode|stack segment|segment not present|double fault|divide error|int3|bounds|overflow|alignment check|control protection|coprocessor segment overrun|invalid TSS|machine check|kernel stack overflow[^:]{0,40}|simd exception|debug)(?:, [^:]{1,80})?: [0-9a-f]{4} \[#?\d+\]/,
    ({ kind }) => {
      if (kind === 'general protection fault') return { trap: 'GeneralProtectionFault' };
      return kind === 'invalid opcode' ? { trap: 'InvalidOpcode' } : {};
    },
  ],
  [exception, /^Oops: (?:Oops: )?(?<code>[0-9a-f]{4}) \[#?\d+\]/, ({ code = '' }) => ({ errcode: x86Code(code) })],
  [
    exception,
    /^Internal error: (?!Oops - BUG|synchronous external abort|SError).*?(?<code>\b[0-9a-f]{1,16})? ?\[#?\d+\]/,
    ({ code }, words) => {
      if (/undefined instruction/i.test(words)) return { trap: 'InvalidOpcode' };
      return code === undefined ? {} : { errcode: armCode(code) };
    },
  ],
  [exception, /^Internal error: Oops - BUG: /],
  [exception, /^Oops(?: - [\w ]{1,40}|: Kernel [\w ]{1,40}, sig: \d{1,2})? \[#\d+\]/],
];

const MARKS =
  /^(?:traps: )?(?:BUG|[Uu]nable to|[Kk]ernel |usercopy: |Bad or missing usercopy|refcount_t: |list_(?:add|del) |CFI failure|Missing ENDBR|Insufficient stack|PANIC: double|detected buffer|\w{1,20}: detected buffer|general protection fault|invalid |stack segment|segment not|double fault|divide error|int3|bounds|overflow|alignment check|control prot|coproc|machine check|simd|debug|Oops|Internal error)/;

/** The first three characters of these lines. Nearly every other line fails here, at the cost of one table access. */
const BEGINNINGS = new Uint8Array(4_096);
const LETTERS =
  'BUG Una una ker Ker use Bad ref lis CFI Mis Ins PAN det mem kme str gen inv seg sta dou div int bou ove ali con cop mac sim deb Oop Int tra';
for (const letters of LETTERS.split(' ')) BEGINNINGS[indexOf(letters)] = 1;

function indexOf(text: string): number {
  return ((text.charCodeAt(0) * 37 + text.charCodeAt(1)) * 37 + text.charCodeAt(2)) & 4_095;
}

/** Fast pre-check before the regular expressions. The kernel writes no space before these lines, but log writers do. */
export function maybeFaultHeader(text: string): boolean {
  if (text.charCodeAt(0) === 32) return MARKS.test(text.trimStart());
  return BEGINNINGS[indexOf(text)] === 1 && MARKS.test(text);
}

/** Reads a line of the beginning of a report. Returns null for other lines. */
export function readFaultHeader(line: string): FaultHeader | null {
  if (!maybeFaultHeader(line)) return null;
  const first = line.trimStart();
  const text = first.startsWith('traps: ') ? first.slice(7) : first;
  for (const [rank, pattern, read] of FORMS) {
    const match = pattern.exec(text);
    if (match) {
      const words = text.trimEnd().slice(0, MAX_WORDS);
      return { rank, words, ...read?.(match.groups ?? {}, words) };
    }
  }
  return null;
}
