import type { U64 } from '#schemas/events/event.ts';
import { at, jump, type RuleCase, random, type TrapFields, times, trap } from '../rule-case.ts';

/** Returns a stack pointer as a new execution draws it. */
const stack = (i: number): number => 0x7ffc_0000_0000 + Math.floor(random(i) * 2 ** 20) * 2 ** 12;
const restarted = (target: (i: number) => U64, count = 6, fields: TrapFields = {}) =>
  times(count, (i) => at(60 * i, jump(target(i), { pid: 500 + i, sp: stack(i), ...fields })));
/** The target is mapped, and not executable. */
const DENIED: TrapFields = {
  errcode: {
    access_mode: 'User',
    access_type: 'Read',
    instruction_fetch: true,
    protection_keys_block_access: false,
    reason: 'ProtectionFault',
    use_of_reserved_bit: false,
  },
};

/**
 * Returns guesses of the layout of a 32-bit program. Every third guess hits a mapping of `file`, at a different place
 * each time.
 */
const guesses = (file: string) =>
  times(90, (i) => {
    const fields = { pid: 500 + i, sp: 0xff80_0000 + Math.floor(random(i) * 2 ** 11) * 2 ** 12 };
    if (i % 3 !== 2) return at(i, jump(0xf7d4_18e1, fields));
    const start = 0xf7c0_0000 + Math.floor(random(i + 1_000) * 256) * 4_096;
    const offset = Math.floor(random(i + 2_000) * 0x4000) * 64 + 32;
    return at(i, trap(start + offset, { ...fields, file, vmastart: start, vmasize: 0x15_5000 }));
  });

/** Returns the value that glibc leaves in a freed block: the address of the next block, combined with its own. */
const freed = (i: number, hasNext = i % 3 > 0): number => {
  const page = 0x5500_0000_0000 + Math.floor(random(i) * 2 ** 28) * 2 ** 12;
  const next = hasNext ? page + 16 * Math.floor(random(i + 1_000) * 256) : 0;
  return Number(BigInt(next) ^ (BigInt(page) >> 12n));
};

export const cases: readonly RuleCase[] = [
  {
    name: 'the same address in every layout of a 32-bit program',
    events: times(6, (i) =>
      at(i, jump(0xf7d4_18e1, { pid: 500 + i, sp: 0xff80_0000 + Math.floor(random(i) * 2 ** 11) * 2 ** 12 })),
    ),
    registers: ['ip'],
  },
  { name: 'guesses that hit a library: one attack', events: guesses('libc.so.6'), registers: ['ip'] },
  {
    name: 'with a scan of the text of the program itself, which is a sign of its own',
    events: guesses('edge-gw'),
    registers: ['ip'],
    others: ['instruction-pointer-probe', 'host-risk'],
  },
  {
    name: 'another address in every execution',
    events: restarted((i) => 0x5555_0000_0000 + i * 0x1_2345),
    registers: ['ip'],
  },
  {
    name: 'a broken pointer moves with the layout, by whole pages',
    events: restarted((i) => 0x7f00_0000_0678 + Math.floor(random(i) * 2 ** 28) * 4096, 40),
    registers: [],
  },
  {
    name: 'an old program calls a function of the kernel that is no longer offered',
    events: restarted((i) => 0xffff_ffff_ff60_0000n + BigInt(0x400 * (i % 2)), 40),
    registers: [],
  },
  {
    name: 'other places of the same page',
    events: restarted((i) => 0xffff_ffff_ff60_0007n + BigInt(0x97 * i)),
    registers: ['ip'],
  },
  {
    name: 'a broken pointer of a program at a fixed address names its own data',
    events: restarted(() => 0x4c_b420, 40, DENIED),
    registers: [],
  },
  {
    name: 'the same address where nothing is mapped',
    events: restarted(() => 0x4c_b420),
    registers: ['ip'],
  },
  { name: 'function pointers of freed objects', events: restarted((i) => freed(i), 60), registers: [] },
  {
    name: 'the same in children of one image',
    events: times(60, (i) => at(60 * i, jump(freed(i % 9), { pid: 500 + i, sp: stack(0) }))),
    registers: [],
  },
  {
    name: 'guesses, of which some look like values of freed memory',
    events: restarted((i) => (i % 4 === 0 ? freed(i) : 0x5555_0000_0000 + i * 0x1_2345), 12),
    registers: ['ip'],
  },
  {
    name: 'a value of freed memory that is the same in every layout is a guess',
    events: restarted(() => freed(0)),
    registers: ['ip'],
  },
  {
    name: 'the low bytes of a pointer to the program are changed: unmapped memory at one offset in the page',
    events: restarted((i) => 0x5580_0000_06b0 + Math.floor(random(i) * 2 ** 24) * 4096),
    registers: ['ip'],
  },
  {
    name: 'the same, where the memory is mapped: a broken pointer to the heap',
    events: restarted((i) => 0x5580_0000_06b0 + Math.floor(random(i) * 2 ** 24) * 4096, 40, DENIED),
    registers: [],
  },
  { name: 'a null pointer', events: restarted(() => 0, 40), registers: [] },
  { name: 'three jumps', events: restarted((i) => 0x5555_0000_0000 + i * 0x1_2345, 3), registers: [] },
  {
    name: 'a scan of the text whose tries go on to other addresses now and then: one attack',
    events: times(60, (i) => {
      const fields = { pid: 500 + i, sp: stack(i) };
      return at(
        i,
        i % 3 === 0
          ? jump(0x5555_0000_0000 + i * 0x1_2345, fields)
          : trap(0x40_1000 + 200 * i, { ...fields, vmasize: 0x10_0000 }),
      );
    }),
    registers: [],
    others: ['instruction-pointer-probe'],
  },
  {
    name: 'children of one image: the rule for instruction pointers reports them',
    events: times(6, (i) => at(i, jump(0x5555_0000_0000 + i * 0x1_2345, { pid: 500 + i, sp: stack(0) }))),
    registers: [],
    others: ['instruction-pointer-probe'],
  },
];
