import { abort, at, hex, type RuleCase, suppressed, times, trap } from '../rule-case.ts';

const crashLoop = (count: number) => times(count, (i) => at(i / 2, trap(0x40_1179, { pid: 7000 + i })));

export const cases: readonly RuleCase[] = [
  {
    name: 'ten crashes logged, five thousand not',
    events: [...crashLoop(10), at(6, suppressed(5000))],
    registers: [null],
  },
  {
    name: 'several lines of different printers together',
    events: times(6, (i) => at(i * 5, suppressed(120, i % 2 === 0 ? 'show_signal_msg' : 'do_trap.part.0'))),
    registers: [null],
  },
  {
    name: 'arm64',
    events: [at(0, suppressed(900, 'arm64_show_signal'))],
    registers: [null],
  },
  {
    name: 'as the stock captures begin',
    events: [at(0, suppressed(123)), ...crashLoop(10), at(5, suppressed(53)), at(10, suppressed(40))],
    registers: [],
  },
  {
    name: 'many, but the logged crashes explain them',
    events: [...times(60, (i) => at(i, abort(100 + i, hex(0x7f00_0000_0000 + i * 4096)))), at(60, suppressed(600))],
    registers: [],
  },
  {
    name: 'an open probe explains them',
    events: [...times(4, (i) => at(i, trap(0x40_1100 + 4 * i))), at(5, suppressed(50_000))],
    registers: [],
    others: ['instruction-pointer-probe'],
  },
  {
    name: 'callbacks of the network and the file systems',
    events: [at(0, suppressed(90_000, 'net_ratelimit')), at(1, suppressed(90_000, 'ext4_error'))],
    registers: [],
  },
  {
    name: 'small numbers for hours',
    events: times(600, (i) => at(i * 60, suppressed(300))),
    registers: [],
  },
];
