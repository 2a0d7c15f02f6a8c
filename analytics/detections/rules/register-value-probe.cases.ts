import { abort, at, dump, hex, type RuleCase, times, trap } from '../rule-case.ts';

const VALUE = 0x7ffc_1200_0000;
const moving = (register: string, offset: (i: number) => number, count = 12) =>
  times(count, (i) => at(i, dump({ PID: String(5000 + i), [register]: hex(VALUE + offset(i)) })));

const LIBC = { file: 'libc.so.6', vmastart: 0x7f62_7da4_1000, vmasize: 0x15_6000 };
/**
 * A library copy that overran its source: first at the edge of a page, later in the middle of one. The registers follow
 * its alignment.
 */
const overrun = [
  at(0, trap(LIBC.vmastart + 0xdc69, { ...LIBC, pid: 4999, trap: { type: 'Segfault', location: 0x55ce_d7e4_0000 } })),
  ...times(30, (i) => {
    const ip = LIBC.vmastart + (i % 2 === 0 ? 0xd9b6 : 0xde30);
    const registers = { PID: String(5000 + i), RIP: `0033:${hex(ip)}`, RDI: hex(VALUE + i), RSI: hex(VALUE + 512 + i) };
    return at(1 + i, dump(registers));
  }),
];

export const cases: readonly RuleCase[] = [
  { name: 'RDI counts up', events: moving('RDI', (i) => i), registers: ['RDI'] },
  { name: 'RSI counts down', events: moving('RSI', (i) => -i), registers: ['RSI'] },
  { name: 'RDI shuffled', events: moving('RDI', (i) => (i * 5) % 12), registers: ['RDI'] },
  {
    name: 'RDI above 2^53',
    events: times(12, (i) => at(i, dump({ RDI: hex(0x4141_4141_4141_4100n + BigInt(i)) }))),
    registers: ['RDI'],
  },
  {
    name: 'RDI counts up, with other crashes in between and one value an hour',
    events: times(10, (i) => [
      at(i * 1800, dump({ PID: String(5000 + 7 * i), RDI: hex(VALUE + i) })),
      at(i * 1800 + 60, dump({ PID: '900', RDI: hex(0x5555_0000_0000 + i * 77_777) })),
    ]).flat(),
    registers: ['RDI'],
  },
  {
    name: 'RIP counts up in dumps alone',
    events: times(12, (i) => at(i, dump({ PID: String(5000 + i), RIP: `0033:0x${(0x40_1100 + i).toString(16)}` }))),
    registers: ['RIP'],
    others: ['instruction-pointer-probe'],
  },
  {
    name: 'RIP that trap lines show already',
    events: times(12, (i) => [
      at(i, trap(0x40_1100 + i, { pid: 5000 + i })),
      at(i + 0.001, dump({ PID: String(5000 + i), RIP: `0033:0x${(0x40_1100 + i).toString(16)}` })),
    ]).flat(),
    registers: [],
    others: ['instruction-pointer-probe'],
  },
  {
    name: 'a pre-forking daemon that aborts in a loop: RDI and RSI are pids',
    events: times(30, (i) => at(i, abort(5000 + i, hex(0x7f00_0000_1000)))),
    registers: [],
  },
  {
    name: 'the same where the dump does not show the system call',
    events: times(30, (i) => at(i, dump({ PID: String(5000 + i), RDI: hex(5000 + i), RSI: hex(5000 + i) }, 'SIGIOT'))),
    registers: [],
  },
  {
    name: 'thread ids and pids, after a fault',
    events: times(30, (i) => at(i, dump({ PID: String(5000 + i), RDI: hex(5003 + i) }))),
    registers: [],
  },
  {
    name: 'a depth of recursion: reported with low severity',
    events: times(30, (i) => at(i, dump({ PID: String(5000 + 7 * i), RDI: hex(15_000 + i) }))),
    registers: ['RDI'],
  },
  { name: 'a value that alternates by 1', events: moving('RDI', (i) => i % 2, 40), registers: [] },
  { name: 'steps of 2', events: moving('RDI', (i) => 2 * i, 40), registers: [] },
  { name: 'eight steps', events: moving('RDI', (i) => i, 9), registers: [] },
  { name: 'registers of a copy beyond the end of its source', events: overrun, registers: [] },
  { name: 'the same registers in dumps without such a copy', events: overrun.slice(1), registers: ['RDI', 'RSI'] },
];
