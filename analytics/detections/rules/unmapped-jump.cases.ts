import { at, jump, type RuleCase, random, times } from '../rule-case.ts';

/** A stack as each execution draws it. */
const stack = (i: number): number => 0x7ffc_0000_0000 + Math.floor(random(i) * 2 ** 20) * 2 ** 12;
const restarted = (target: (i: number) => number, count = 6) =>
  times(count, (i) => at(60 * i, jump(target(i), { pid: 500 + i, sp: stack(i) })));

export const cases: readonly RuleCase[] = [
  {
    name: 'the same address in every layout of a 32-bit program',
    events: times(6, (i) =>
      at(i, jump(0xf7d4_18e1, { pid: 500 + i, sp: 0xff80_0000 + Math.floor(random(i) * 2 ** 11) * 2 ** 12 })),
    ),
    registers: ['ip'],
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
  { name: 'a null pointer', events: restarted(() => 0, 40), registers: [] },
  { name: 'three jumps', events: restarted((i) => 0x5555_0000_0000 + i * 0x1_2345, 3), registers: [] },
  {
    name: 'children of one image: the rule for instruction pointers reports them',
    events: times(6, (i) => at(i, jump(0x5555_0000_0000 + i * 0x1_2345, { pid: 500 + i, sp: stack(0) }))),
    registers: [],
    others: ['instruction-pointer-probe'],
  },
];
