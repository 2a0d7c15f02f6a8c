import { at, dump, hex, type RuleCase, times, trap } from '../rule-case.ts';

const TEXT = 0x40_1100;
/** A fixed shuffle: every address once, neighbours far apart in time. */
const shuffled = (count: number): number[] => times(count, (i) => (i * 37) % count);

export const cases: readonly RuleCase[] = [
  {
    name: 'three addresses a few bytes apart',
    events: times(3, (i) => at(i, trap(TEXT + 5 * i))),
    registers: ['ip'],
  },
  {
    name: 'downwards',
    events: times(3, (i) => at(i, trap(TEXT - 8 * i))),
    registers: ['ip'],
  },
  {
    name: 'steps of 16 bytes through the linkage table, every third stub alive',
    events: times(24, (i) => i)
      .filter((i) => i % 3 !== 1)
      .map((i) => at(i, trap(TEXT + 16 * i))),
    registers: ['ip'],
  },
  {
    name: 'wide holes, but all a multiple of 16 apart',
    events: times(8, (i) => at(i, trap(TEXT + 48 * i))),
    registers: ['ip'],
  },
  {
    name: 'shuffled',
    events: shuffled(100).map((step, i) => at(i, trap(TEXT + 2 * step))),
    registers: ['ip'],
  },
  {
    name: 'one probe in 20 minutes',
    events: times(6, (i) => at(i * 1200, trap(TEXT + 4 * i))),
    registers: ['ip'],
  },
  {
    name: 'another mapping address for every crash',
    events: times(6, (i) => {
      const vmastart = 0x5561_0000_0000 + 0x13_7000 * ((i * 7) % 6);
      return at(i, trap(vmastart + 0x200 + 4 * i, { vmastart }));
    }),
    registers: ['ip'],
  },
  {
    name: 'addresses above 2^53',
    events: times(4, (i) => at(i, trap(2n ** 63n + BigInt(8 * i), { file: null, vmastart: null, vmasize: null }))),
    registers: ['ip'],
  },
  {
    name: 'crashes of twenty other programs and of its own stack in between',
    events: times(12, (i) => [
      at(10 * i, trap(TEXT + 3 * i)),
      ...times(20, (n) => at(10 * i + 1, trap(0x5000 * n + 0x123_457 * i, { procname: `other-${n}`, file: null }))),
      at(10 * i + 2, trap(0x7ffc_0a5a_f5a8, { file: null, vmastart: null, vmasize: null })),
    ]).flat(),
    registers: ['ip'],
  },
  {
    name: 'dumps only',
    events: times(4, (i) => at(i, dump({ PID: String(4000 + i), RIP: `0033:0x${(TEXT + 4 * i).toString(16)}` }))),
    registers: ['ip'],
  },
  {
    name: 'two neighbours',
    events: times(2, (i) => at(i, trap(TEXT + 4 * i))),
    registers: [],
  },
  {
    name: 'the same address again and again, with its dumps',
    events: times(50, (i) => [
      at(i, trap(TEXT, { pid: 4000 + i })),
      at(i + 0.001, dump({ PID: String(4000 + i), RIP: `0033:0x${TEXT.toString(16)}`, RDI: hex(0) })),
    ]).flat(),
    registers: [],
  },
  {
    name: 'two addresses 13 apart by turns, and a single move of 10',
    events: times(21, (i) => at(i * 60, trap(i === 20 ? TEXT + 23 : TEXT + 13 * (i % 2)))),
    registers: [],
  },
  {
    name: 'the same, the move early',
    events: [0, 13, 0, 23].map((offset, i) => at(i * 60, trap(TEXT + offset))),
    registers: [],
  },
  {
    name: 'a crash loop over two neighbouring sites, to which a third comes',
    events: times(60, (i) => at(i * 10, trap(TEXT + 7 * (i < 8 ? i % 2 : i % 3)))),
    registers: [],
  },
  {
    name: 'heap and generated code: aligned, far apart',
    events: times(40, (i) =>
      at(i, trap(0x7f00_0000_0000 + ((i * 2_654_435_761) % 2 ** 24) * 4096, { file: null, vmastart: null })),
    ),
    registers: [],
  },
  {
    name: 'a program that is terminated by signal in a tight loop',
    events: times(12, (i) => at(i, dump({ RIP: `0033:0x${(TEXT + 2 * i).toString(16)}` }, 'SIGTERM'))),
    registers: [],
  },
  {
    name: 'neighbours in three different programs',
    events: times(3, (i) => at(i, trap(TEXT + 4 * i, { procname: `worker-${i}`, file: null, vmastart: null }))),
    registers: [],
  },
  {
    name: 'neighbours days apart',
    events: times(3, (i) => at(i * 86_400, trap(TEXT + 4 * i))),
    registers: [],
  },
];
