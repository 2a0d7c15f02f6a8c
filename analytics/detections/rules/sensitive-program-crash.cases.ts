import { abort, at, hex, type RuleCase, times, trap } from '../rule-case.ts';

const SSHD = { procname: 'sshd', file: 'sshd' };

export const cases: readonly RuleCase[] = [
  { name: 'sshd crashes once', events: [at(0, trap(0x40_1100, SSHD))], registers: [null] },
  { name: 'polkitd aborts', events: [at(0, abort(700, hex(0x7f00_1234_5000), 'polkitd'))], registers: [null] },
  {
    name: 'crashes within a day are one detection',
    events: times(4, (i) => at(i * 3600, trap(0x40_1100, { ...SSHD, pid: 700 + i }))),
    registers: [null],
  },
  {
    name: 'crashes days apart are several',
    events: times(2, (i) => at(i * 200_000, trap(0x40_1100, { ...SSHD, pid: 700 + i }))),
    registers: [null, null],
  },
  { name: 'another program', events: [at(0, trap(0x40_1100))], registers: [] },
  {
    name: 'a name that begins alike',
    events: [at(0, trap(0x40_1100, { procname: 'sshd-helper', file: 'sshd-helper' }))],
    registers: [],
  },
];
