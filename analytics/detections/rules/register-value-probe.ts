import { z } from 'zod';
import { valuesTotal } from '../episode.ts';
import { CRASH_TRAITS } from '../evidence/crash-traits.ts';
import { addRegisters, judgePointers, NUMBERS } from '../evidence/register-values.ts';
import { defineRule } from '../rule.ts';

export const rule = defineRule({
  id: 'register-value-probe',
  order: 2,
  version: 3,
  name: 'Register value probe',
  severity: 'high',
  registers: ['RDI', 'RSI', 'RIP'],
  attack: [
    { tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' },
    { tactic: 'TA0008', technique: 'T1210', name: 'Exploitation of Remote Services' },
  ],
  summary:
    'RDI, RSI or RIP in the register dumps of a program moves in steps of 1 from crash to crash, and the values are not process or thread IDs. An attacker guesses a byte of the stack.',
  runbook: {
    nextChecks: [
      'Look at the values. Do they count through one byte (256 values), and which one? A run in the lowest byte that starts again in the next byte is stack reading byte by byte.',
      'Compare the times with the access log of the program. Find the client whose requests match, and block it.',
      'Look for an instruction-pointer or stack-canary detection of the same program. The stages of one attack follow each other within minutes.',
      'Check that the program was built with a stack protector and is position-independent. Restart it: a new execution gets a new canary and a new memory layout.',
      'Save a core dump and check what the register contained. A counter of the program is harmless; bytes of a request are not.',
    ],
    falsePositives: [
      'A program that crashes with its own counter in the register, such as a request count or a depth of recursion. From 1,024 to 4 MiB, above file descriptors and below addresses, the severity is low. Other counters continue after a restart.',
      'Process and thread IDs are excluded. In a container with its own PID namespace they may not be recognized: compare the values with `ps` inside the container.',
    ],
  },
  statistics: {
    baseRate:
      'Registers contain pointers and IDs, which do not count through a range in steps of 1. Copies that run past the end of their data are excluded. Counters and depths of recursion do move in steps of 1. From 1,024 to 4 MiB, where neither file descriptors nor addresses are, they have severity low. No captured benign log triggers the rule with high severity, so the figure is an upper bound: less than one false alarm a year.',
    falseAlarmsPerMonth: 0.08,
    falseAlarmForEach: null,
    evasions: [
      {
        evasion: 'Values in steps of 2, and the values between them 6 hours later',
        price: '6 hours for each byte.',
        days: 0.25,
      },
      {
        evasion: 'Guesses of a saved register that contains a number from 1,024 to 4 MiB',
        price:
          'Such a register is no canary, no address and no file descriptor: the guess teaches nothing. The severity is low.',
        days: null,
      },
    ],
  },
  thresholds: z.strictObject({
    window: z.number().positive().default(21_600).describe('Counting window of register dumps (seconds)'),
    quiet: z.number().positive().default(21_600).describe('Episode ends after this time without evidence (seconds)'),
    minSteps: z.number().int().min(2).default(9).describe('Minimum steps of exactly 1 between distinct values'),
    criticalDistinct: z.number().int().default(128).describe('Critical from this many distinct values'),
  }),
  severityOf(episode, { criticalDistinct }) {
    if (episode.detail[0] === NUMBERS) return 'low';
    return valuesTotal(episode) >= criticalDistinct ? 'critical' : 'high';
  },
  message: ({ register, detail }, { program, where, distinct, crashes }) =>
    `${register} of ${program}${where} moves in steps of 1 from crash to crash (${distinct} distinct values in ${crashes}): an attempt to guess bytes on the stack, such as its canary or a return address.${detail[0] === NUMBERS ? ' The values are neither addresses nor file descriptors: a counter of the program explains them too.' : ''}`,
  evidence: {
    crash(context, program, crash, settings) {
      judgePointers(context, program, crash, settings);
      return false;
    },
    crashTraits: CRASH_TRAITS.dump,
    dump: addRegisters,
  },
});
