import { at, type RuleCase, random, times, trap } from '../rule-case.ts';

const hostOf = (i: number, hosts: number): string => `web-${i % hosts}`;
/** Returns a crash of the fleet's binary, which is mapped at a different address on each host. */
const crash = (i: number, offset: number, hosts = 20, file = 'edge-gw') => {
  const vmastart = 0x5600_0000_0000 + (i % hosts) * 0x1000_0000;
  return at(60 * i, trap(vmastart + offset, { pid: 900 + i, vmastart, vmasize: 0x10_0000, file }), hostOf(i, hosts));
};
const anywhere = (i: number): number => Math.floor(random(i) * 0xf_0000);

export const cases: readonly RuleCase[] = [
  {
    name: 'two probes a host on twenty hosts behind a balancer',
    events: times(40, (i) => crash(i, anywhere(i))),
    registers: [null],
  },
  {
    name: 'by small steps, one probe a host',
    events: times(8, (i) => crash(i, 0x4000 + i * 16)),
    registers: [null],
  },
  {
    name: 'among the crash loop of a bad release',
    events: [
      ...times(200, (i) => at(30 * i, trap(0x40_1100, { pid: 5000 + i, vmasize: 0x10_0000 }), hostOf(i, 20))),
      ...times(40, (i) => crash(i, anywhere(i))),
    ],
    registers: [null],
  },
  {
    name: 'a bad release: the same places on every host',
    events: times(400, (i) => crash(i, [0x1100, 0x2200, 0x3300, 0x4400][i % 4] as number)),
    registers: [],
  },
  {
    name: 'twelve faults of one program, over and over on all hosts',
    events: times(200, (i) => crash(i, 0x1357 * Math.floor(random(i) * 12))),
    registers: [],
  },
  {
    name: 'one host alone: the rule for instruction pointers decides',
    events: times(40, (i) => crash(i, anywhere(i), 1)),
    registers: [],
    others: ['instruction-pointer-probe'],
  },
  {
    name: 'other binaries on each host',
    events: times(40, (i) => crash(i, anywhere(i), 20, `service-${i % 20}`)),
    registers: [],
  },
];
