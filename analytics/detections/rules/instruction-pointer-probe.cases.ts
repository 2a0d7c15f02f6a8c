import { at, dump, hex, jump, type RuleCase, random, times, trap, WRITE } from '../rule-case.ts';

const TEXT = 0x40_1100;
/** A fixed shuffle: every address occurs once, with neighbours far apart in time. */
const shuffled = (count: number): number[] => times(count, (i) => (i * 37) % count);

const STACK = 0x7ffc_1234_5000;
/** The last address of a large text. */
const WIDE = { vmasize: 0x7_a000 };

export const cases: readonly RuleCase[] = [
  {
    name: 'twenty addresses 80 bytes and more apart, in random order',
    events: times(20, (i) => at(5 * i, trap(TEXT + Math.floor(random(i) * 6000) * 80, { ...WIDE, pid: 100 + i }))),
    registers: ['ip'],
  },
  {
    name: 'the same among three times as many crashes of a crash loop',
    events: times(20, (i) => [
      at(5 * i, trap(TEXT + Math.floor(random(i) * 6000) * 80, { ...WIDE, pid: 100 + 4 * i })),
      ...times(3, (n) => at(5 * i + n + 1, trap(0x47_0000, { ...WIDE, pid: 101 + 4 * i + n }))),
    ]).flat(),
    registers: ['ip'],
  },
  {
    name: 'general protection faults at nine places of the C library, on one stack',
    events: times(9, (i) =>
      at(
        i,
        trap(0x7fd7_d7a9_a000 + 1000 + i * 3333, {
          pid: 100 + i,
          file: 'libc.so.6',
          vmastart: 0x7fd7_d7a9_a000,
          vmasize: 0x15_6000,
          trap: { type: 'GeneralProtectionFault' },
        }),
      ),
    ),
    registers: ['ip'],
  },
  {
    name: 'jumps of one image to unmapped pages, one after the other',
    events: times(5, (i) => at(i, jump(0xf7c4_c8e1 + i * 4096, { pid: 100 + i, sp: 0xfff2_5e70 }))),
    registers: ['ip'],
  },
  {
    name: 'a fuzzer that finds twelve faults, the rarer the more seldom',
    events: times(400, (i) => at(i, trap(TEXT + 400 * Math.floor(12 * random(i) ** 2), { ...WIDE, pid: 100 + i }))),
    registers: [],
  },
  {
    name: 'the lowest two bytes of a return address replaced, in a new layout each time',
    events: times(40, (i) => {
      const base = 0x5555_0000_0000 + i * 0x1234_5000;
      const page = 20 + Math.floor(16 * random(i));
      return at(
        5 * i,
        trap(base + page * 4096 + 0x87a + ((i * 5) % 14), {
          pid: 100 + i,
          vmastart: base,
          vmasize: 0x8_0000,
          sp: 0x7ffc_0000_1000 + i * 2 ** 26,
        }),
      );
    }),
    registers: ['ip'],
  },
  {
    name: 'faults at ten places of as many pages, three of them at one offset',
    events: times(80, (i) =>
      at(20 * i, trap(TEXT + 4096 * (i % 10) + (i % 10 < 3 ? 0x87a : 0x139 * (i % 10)), { ...WIDE, pid: 100 + i })),
    ),
    registers: [],
  },
  {
    name: 'a program stops at breakpoints at thirty places of its text',
    events: times(30, (i) =>
      at(
        60 * i,
        trap(TEXT + 4_000 * i, { ...WIDE, pid: 100 + i, trap: { type: 'Generic', description: 'trap int3' } }),
      ),
    ),
    registers: [],
  },
  {
    name: 'the stack runs out at any push of four functions',
    events: times(60, (i) => {
      const sp = 0x7ffc_0000_0000 + Math.floor(random(i) * 2 ** 20) * 4096;
      const location = sp - 8;
      const errcode = { ...WRITE };
      return at(
        i,
        trap(TEXT + Math.floor(random(i + 100) * 90), {
          pid: 100 + i,
          sp,
          errcode,
          trap: { type: 'Segfault', location },
        }),
      );
    }),
    registers: [],
  },
  {
    name: 'a copy runs over the end of a mapping, with dumps that the kernel prints without their trap lines',
    events: times(60, (i) => {
      const ip = TEXT + Math.floor(random(i) * 40);
      const pid = 100 + i;
      const location = 0x7f11_e631_9000 + (i % 32);
      const registers = { PID: String(pid), RIP: `0033:0x${ip.toString(16)}`, RSI: hex(0x7f11_e631_8fda + (i % 30)) };
      const line = at(i, trap(ip, { pid, trap: { type: 'Segfault', location } }));
      return i < 5 ? [line, at(i + 0.001, dump(registers))] : [at(i, dump(registers))];
    }).flat(),
    registers: [],
  },
  {
    name: 'a function pointer that is null, with offsets of fields',
    events: times(40, (i) => at(i, jump(i % 9, { pid: 100 + i, sp: STACK }))),
    registers: [],
  },
  {
    name: 'a broken function pointer of one image',
    events: times(40, (i) => at(i, jump(0x5555_1234_5678, { pid: 100 + i, sp: STACK }))),
    registers: [],
  },
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
