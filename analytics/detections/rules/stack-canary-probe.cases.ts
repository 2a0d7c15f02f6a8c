import { abort, at, dump, hex, type RuleCase, times } from '../rule-case.ts';

const FORKED = hex(0x7fd7_0f46_4740);

export const cases: readonly RuleCase[] = [
  {
    name: 'three aborts a second of one forked image',
    events: times(60, (i) => at(i / 3, abort(26_397 + i, FORKED))),
    registers: ['canary'],
  },
  {
    name: 'hundreds within a tenth of a second, one in twenty of another image',
    events: times(231, (i) => at(i / 3000, abort(26_397 + i, i % 20 === 0 ? hex(0x7f11_0000_0000 + i) : FORKED))),
    registers: ['canary'],
  },
  {
    name: 'dumps cut short before FS: the library address identifies the image',
    events: times(60, (i) => at(i / 10, dump({ Comm: 'edge-gw-ssp', RIP: '0033:0x7fd70f4f1eec' }, 'SIGIOT'))),
    registers: ['canary'],
  },
  {
    name: 'a supervisor that restarts a daemon once a second',
    events: times(300, (i) => at(i, abort(5000 + 3 * i, hex(0x7f00_0000_0000 + i * 4096)))),
    registers: [],
  },
  {
    name: 'a master that forks its one worker again after a second',
    events: times(300, (i) => at(i, abort(5000 + i, FORKED))),
    registers: [],
  },
  {
    name: 'a shell loop that executes an aborting program a hundred times a second',
    events: times(300, (i) => at(i / 100, abort(5000 + i, hex(0x7f00_0000_0000 + ((i * 7919) % 300) * 4096)))),
    registers: [],
  },
  {
    name: 'fifty programs that abort once each',
    events: times(50, (i) => at(i / 10, abort(5000 + i, FORKED, `test-${i}`))),
    registers: [],
  },
];
