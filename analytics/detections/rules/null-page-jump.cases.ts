import { at, dump, type RuleCase, times, trap } from '../rule-case.ts';

const jump = (pid: number) => trap(0x10, { pid, file: null, vmastart: null, vmasize: null });

export const cases: readonly RuleCase[] = [
  {
    name: '120 jumps to one address within ten minutes',
    events: times(120, (i) => at(i * 4, jump(100 + i))),
    registers: ['ip'],
  },
  {
    name: 'the same in dumps',
    events: times(100, (i) => at(i, dump({ PID: String(100 + i), RIP: '0010:0x0000000000000008' }))),
    registers: ['ip'],
  },
  { name: '99 jumps', events: times(99, (i) => at(i, jump(100 + i))), registers: [] },
  { name: 'one jump an hour', events: times(120, (i) => at(i * 3_600, jump(100 + i))), registers: [] },
  {
    name: 'crashes outside of the null page',
    events: times(120, (i) => at(i, trap(0x40_1179, { pid: 100 + i }))),
    registers: [],
  },
];
