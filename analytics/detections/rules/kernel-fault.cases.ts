import type { SegfaultErrorCode } from '#schemas/events/event.ts';
import { at, kernelFault, type RuleCase, times, trap } from '../rule-case.ts';

const DENIED: SegfaultErrorCode = {
  access_mode: 'Kernel',
  access_type: 'Read',
  instruction_fetch: true,
  protection_keys_block_access: false,
  reason: 'ProtectionFault',
  use_of_reserved_bit: false,
};
const USER_PAGE = kernelFault({ errcode: DENIED, trap: { type: 'Segfault', location: 0x1010_1000 } });
const thread = (procname: string) => kernelFault({ procname, kernel_fault: { context: 'kernel thread' } });

export const cases: readonly RuleCase[] = [
  { name: 'the kernel refuses to execute user memory', events: [at(0, USER_PAGE)], registers: [null] },
  { name: 'a broken pointer of a driver', events: [at(0, thread('kworker/0:2'))], registers: [null] },
  {
    name: 'faults of threads of the kernel are one detection of the host',
    events: ['kworker/0:2', 'kworker/3:1', 'swapper/0'].map((name, i) => at(i * 60, thread(name))),
    registers: [null],
  },
  {
    name: 'each program has a detection',
    events: ['one', 'two'].map((procname, i) => at(i * 60, kernelFault({ procname }))),
    registers: [null, null],
  },
  {
    name: 'faults days apart are several',
    events: times(2, (i) => at(i * 200_000, kernelFault())),
    registers: [null, null],
  },
  {
    name: 'faults of the kernel are no crashes of the program',
    events: times(60, (i) => at(i, kernelFault({ pid: 4000 + i, ip: 0x40_1000 + i * 256 }))),
    registers: [null],
  },
  {
    name: 'a fault of a program whose error code lacks the user bit',
    events: [at(0, trap(0x40_1100, { errcode: { ...DENIED, instruction_fetch: false } }))],
    registers: [],
  },
];
