import { z } from 'zod';
import { valuesTotal } from '../episode.ts';
import { CRASH_TRAITS } from '../evidence/crash-traits.ts';
import { addRegisters, judgePointers } from '../evidence/register-values.ts';
import { defineRule } from '../rule.ts';

export const rule = defineRule({
  id: 'register-value-probe',
  order: 2,
  version: 2,
  name: 'Register value probe',
  severity: 'high',
  registers: ['RDI', 'RSI', 'RIP'],
  attack: [
    { tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' },
    { tactic: 'TA0008', technique: 'T1210', name: 'Exploitation of Remote Services' },
  ],
  summary:
    'RDI, RSI or RIP in the fatal-signal dumps of one program moves in steps of 1, and the value is not a process or thread id: an attacker guesses a byte of the stack.',
  runbook: {
    nextChecks: [
      'Read the values: do they count through one byte (256 of them), and which byte? A run in the lowest byte that begins again in the next one is byte-wise stack reading.',
      'Compare the times with the program’s access log and find the client whose requests coincide; block it.',
      'Look for an instruction-pointer or stack-canary detection of the same program: the stages of one attack follow each other in minutes.',
      'Check that the program was built with a stack protector and position independence, and restart it: a new execution draws a new canary and layout.',
      'Keep a core dump and see what the register held: a counter of the program itself is harmless, bytes of a request are not.',
    ],
    falsePositives: [
      'A program that aborts with its own counter in the register, e.g. a worker number or a request count. The values then go on across restarts.',
      'Process and thread ids are left out; a container with its own pid namespace can hide that a value is one. Compare with `ps` inside the container.',
    ],
  },
  statistics: {
    baseRate:
      'Registers hold pointers and ids, which do not count through a range in steps of one. Copies that overrun their data are left out. No captured benign log raises it, so the figure is an upper bound: less than one in a year.',
    falseAlarmsPerMonth: 0.08,
    falseAlarmForEach: null,
    evasions: [
      {
        evasion: 'Values in steps of two, and those between them 6 hours later',
        price: '6 hours for each byte.',
        days: 0.25,
      },
    ],
  },
  thresholds: z.strictObject({
    window: z.number().positive().default(21_600).describe('Counting window of register dumps (seconds)'),
    quiet: z.number().positive().default(21_600).describe('Episode ends after this time without evidence (seconds)'),
    minSteps: z.number().int().min(2).default(9).describe('Minimum steps of exactly 1 between distinct values'),
    criticalDistinct: z.number().int().default(128).describe('Critical from this many distinct values'),
  }),
  severityOf: (episode, { criticalDistinct }) => (valuesTotal(episode) >= criticalDistinct ? 'critical' : 'high'),
  message: ({ register }, { program, where, distinct, crashes }) =>
    `${register} of ${program}${where} moves in steps of 1 from crash to crash (${distinct} distinct values in ${crashes}): an attempt to guess bytes on the stack, such as its canary or a return address.`,
  evidence: {
    crash(context, program, crash, settings) {
      judgePointers(context, program, crash, settings);
      return false;
    },
    crashTraits: CRASH_TRAITS.dump,
    dump: addRegisters,
  },
});
