import { at, jump, type RuleCase, random, type TrapFields, times, trap, WRITE } from '../rule-case.ts';

const START = 0x7f10_0000_0000;
const access = (location: number, fields: TrapFields = {}) =>
  trap(0x40_1120, { trap: { type: 'Segfault', location }, ...fields });
/** Returns one access of each child of a forked server, in another order than that of the addresses. */
const accesses = (address: (i: number) => number, count = 24, fields: TrapFields = {}) =>
  times(count, (i) => at(60 * i, access(address((i * 7) % count), { pid: 500 + i, ...fields })));
const write = (location: number, sp: number, pid: number) =>
  access(location, {
    pid,
    sp,
    errcode: WRITE,
  });
/** Returns an address of the area in which the kernel places libraries. */
const drawn = (i: number): number => 0x7e00_0000_0128 + Math.floor(random(i) * 2 ** 28) * 4_096;
/** Distance of the stacks of two threads: 8 MiB and a guard page. */
const STACK = 0x80_1000;
/** Returns the fault of a thread whose stack is exhausted. */
const exhausted = (i: number) => write(START - i * STACK, START - i * STACK + 8, 500 + i);
/** Returns a stack pointer as a new execution of a 32-bit program draws it. */
const stack = (i: number): number => 0xff80_0000 + Math.floor(random(i) * 2 ** 11) * 2 ** 12;

export const cases: readonly RuleCase[] = [
  { name: 'reads page by page, in any order', events: accesses((i) => START + i * 4_096), registers: ['address'] },
  {
    name: 'from a page offset, in steps of 16 MiB',
    events: accesses((i) => START + 0x128 - i * 2 ** 24),
    registers: ['address'],
  },
  {
    name: 'every fifth line is lost',
    events: accesses((i) => START + i * 4_096, 40).filter((_, i) => i % 5 !== 0),
    registers: ['address'],
  },
  {
    name: 'a search of the stack of a 32-bit program that is executed again for each guess',
    events: times(24, (i) => at(i, jump(0xbfe0_0000 + i * 4_096, { pid: 500 + i, sp: stack(i) }))),
    registers: ['ip'],
  },
  {
    name: 'addresses all over one memory layout, drawn at random',
    events: accesses((i) => drawn(i)),
    registers: ['address'],
  },
  {
    name: 'the same in executions with another layout each: a broken pointer',
    events: times(40, (i) => {
      const vmastart = 0x5500_0000_0000 + Math.floor(random(i + 500) * 2 ** 28) * 4_096;
      const fault = { trap: { type: 'Segfault', location: drawn(i) }, pid: 500 + i, vmastart } as const;
      return at(60 * i, trap(vmastart + 0x120, fault));
    }),
    registers: [],
  },
  {
    name: 'calculated addresses all over one memory layout, with another offset in the page each',
    events: accesses((i) => drawn(i) + 16 * (i % 250), 40),
    registers: [],
  },
  {
    name: 'memory that each child maps for itself, of various sizes below 4 GiB',
    events: accesses((i) => 0x7f10_0000_0010 - Math.floor(random(i) * 2 ** 20) * 4_096, 40),
    registers: [],
  },
  { name: 'fifteen addresses', events: accesses((i) => START + i * 4_096, 15), registers: [] },
  {
    name: 'a broken pointer to one of 256 pages, in executions with another layout each',
    events: accesses((i) => 0xf7d0_0678 + Math.floor(random(i) * 256) * 4_096, 250),
    registers: [],
  },
  {
    name: 'a broken pointer to one of 32 pages',
    events: accesses((i) => 0xf7d0_0678 + Math.floor(random(i) * 32) * 4_096, 250),
    registers: [],
  },
  {
    name: 'an index that a counter increases: steps of an element',
    events: accesses((i) => START + i * 48, 60),
    registers: [],
  },
  {
    name: 'memory that grows, where most crashes find its old size',
    events: times(60, (i) => at(60 * i, access(START + Math.floor(i / 3) * 4_096, { pid: 500 + i }))),
    registers: [],
  },
  {
    name: 'threads that exhaust their stacks, which lie at equal distances',
    events: times(24, (i) => at(60 * i, exhausted(i))),
    registers: [],
  },
  {
    name: 'the same, and one write elsewhere by the same instruction',
    events: [...times(15, (i) => at(60 * i, exhausted(i))), at(900, write(START - 15 * STACK, START + 2 ** 30, 600))],
    registers: [],
  },
  {
    name: 'a process that handles its faults, such as a virtual machine that protects pages',
    events: accesses((i) => START + i * 4_096, 40, { pid: 500 }),
    registers: [],
  },
  {
    name: 'fields of a null pointer',
    events: accesses((i) => i * 4_096, 15),
    registers: [],
  },
];
