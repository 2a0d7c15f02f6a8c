import { z } from 'zod';
import { ABORT_SIGNAL } from '#schemas/crash.ts';
import { addAbort } from '../evidence/aborts.ts';
import { defineRule } from '../rule.ts';

export const rule = defineRule({
  id: 'stack-canary-probe',
  order: 3,
  version: 1,
  name: 'Stack canary probe',
  severity: 'high',
  registers: ['canary'],
  attack: [
    { tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' },
    { tactic: 'TA0008', technique: 'T1210', name: 'Exploitation of Remote Services' },
  ],
  summary:
    'One forking program aborts again and again in quick succession, always from the same image in memory: a wrong byte of the stack protector’s canary costs the attacker one child, and the parent forks the next with the same canary.',
  runbook: {
    nextChecks: [
      'Look for `*** stack smashing detected ***` in the program’s error output or journal, or for `__stack_chk_fail` in the backtrace of a core dump (`coredumpctl debug`): with it this is an attack.',
      'Compare the aborts with the access log: one client, one connection an abort, the same request growing byte by byte. Block it.',
      'Count them: a canary has seven unknown bytes of at most 256 tries, about 900 on average. Aborts that end after that many mean that it is known; look for an instruction-pointer probe of the same program next.',
      'Stop the parent process and start it again: children of a fork share the canary, a new execution draws another.',
      'Plan the lasting remedy: re-execute instead of fork for each connection, and fix the overflow.',
    ],
    falsePositives: [
      'A pre-forking daemon whose workers abort on their own (a failed assertion on a poisoned job) and are forked again without a pause: the same trace in the kernel log. The error output names the assertion, and the aborts go on without any client. Fix the restart pause, or add an exception with an expiry.',
      'A test suite of death tests (`EXPECT_DEATH`): a known user on a build host.',
      'A supervisor that executes the program again is not reported: every execution has another address layout, unless address randomisation is off.',
    ],
  },
  thresholds: z.strictObject({
    window: z.number().positive().default(20).describe('The aborts lie within so many seconds'),
    quiet: z.number().positive().default(600).describe('The episode ends after so long without an abort, seconds'),
    minAborts: z.number().int().min(3).default(40).describe('Aborts of one program within the window'),
    sameImage: z
      .number()
      .min(0)
      .max(1)
      .default(0.8)
      .describe('Share of the aborts that come from one image in memory, where the dump shows it'),
    criticalAborts: z.number().int().default(900).describe('So many aborts make it critical: the canary may be known'),
  }),
  severityOf: ({ evidence }, { criticalAborts }) => (evidence >= criticalAborts ? 'critical' : 'high'),
  message: (_, { program, where, crashes }) =>
    `${program}${where} was forked and aborted again and again in quick succession (${crashes}): an attempt to guess the canary that protects its stack, byte by byte.`,
  evidence: { abort: addAbort },
  // An abort has no register of this name: its signal is the evidence.
  showsIn: (event) => event.type === 'LinuxFatalSignal' && event.signal === ABORT_SIGNAL,
});
