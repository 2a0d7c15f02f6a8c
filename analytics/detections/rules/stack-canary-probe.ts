import { z } from 'zod';
import { ABORT_SIGNAL } from '#schemas/crash.ts';
import type { WitnessConclusion } from '../evidence/abort-witnesses.ts';
import { addAbort, addDeliberateTrap, addWitness, MANY_FAULTS } from '../evidence/aborts.ts';
import { CRASH_TRAITS } from '../evidence/crash-traits.ts';
import type { AbortPace } from '../evidence/judge-aborts.ts';
import { defineRule } from '../rule.ts';

export const rule = defineRule({
  id: 'stack-canary-probe',
  order: 3,
  version: 5,
  name: 'Stack canary probe',
  severity: 'high',
  registers: ['canary'],
  restsOn: { kind: 'image' },
  attack: [
    { tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' },
    { tactic: 'TA0008', technique: 'T1210', name: 'Exploitation of Remote Services' },
  ],
  summary:
    'A forking program aborts again and again from the same memory image, under any process name. A wrong byte of the stack canary costs the attacker one child process, and the parent forks the next child with the same canary.',
  runbook: {
    nextChecks: [
      'Look for `*** stack smashing detected ***` in the error output or journal of the program, or for `__stack_chk_fail` in the backtrace of a core dump (`coredumpctl debug`). Either of them confirms an attack.',
      'Compare the aborts with the access log. An attack shows as one client, one connection for each abort, and a request that grows byte by byte. Block the client.',
      'Count the aborts. A canary has seven unknown bytes with at most 256 tries each, about 900 tries on average for all of them. If the aborts stop after about that many, the attacker knows the canary. Look for an instruction-pointer probe of the same program next.',
      'Stop the parent process and start it again. Forked children share its canary; a new execution gets another one.',
      'As a lasting fix, execute the program again for each connection instead of forking it, and correct the buffer overflow.',
    ],
    falsePositives: [
      'A pre-forking daemon whose workers abort by themselves (a failed assertion on a bad job) and are forked again without a pause. The kernel log looks the same. The error output names the assertion, and the aborts continue without any client. Add a pause before the restart, or an exception with an expiry.',
      'Requests of many clients that reach a failed assertion in forked workers. The aborts come at random times, and the severity stays medium.',
      'A fuzzer. Its aborts also come at random times, and the program crashes repeatedly at eight or more other places. The severity is low.',
      'A supervisor that aborts workers which do not respond is not reported where register dumps show the system call, as on x86-64.',
      'A forked program that is not prepared for shadow stacks or pointer authentication, for example because it switches stacks itself. The processor refuses each call at the same place, also without clients. Build it without `-fcf-protection` or `-mbranch-protection`.',
      'A test suite with death tests (`EXPECT_DEATH`): a known user on a build host.',
      'A supervisor that executes the program again is not reported: each execution has another memory layout, unless address randomization is off. Where only core dumps without a stack, or audit records, report the aborts, the severity is low. So it is for Go programs built before Go 1.26, which have the same layout in each execution.',
    ],
  },
  statistics: {
    baseRate: 'A program aborts once in each execution, and each execution has another memory image.',
    falseAlarmsPerMonth: 0,
    falseAlarmForEach: 'worker that fails and that its parent forks again and again without a pause',
    evasions: [
      {
        evasion: 'Random pauses between the tries',
        price: 'None: the severity is medium instead of high.',
        days: null,
      },
      {
        evasion: 'The same, with repeated crashes at eight other places of the program',
        price: 'Eight more faults of the program: the severity is low.',
        days: null,
      },
      {
        evasion: 'At most 19 guesses of a pointer authentication code in 6 hours',
        price: 'A code of seven bits takes 64 tries on average, and therefore 20 hours.',
        days: null,
      },
      {
        evasion: 'At most 119 tries in 6 hours',
        price: 'A canary takes 900 tries on average, which take two days.',
        days: 1.9,
      },
    ],
  },
  thresholds: z.strictObject({
    window: z.number().positive().default(20).describe('Window of fast aborts (seconds)'),
    slowWindow: z.number().positive().default(21_600).describe('Window of slow aborts (seconds)'),
    quiet: z.number().positive().default(3_600).describe('Episode ends after this time without an abort (seconds)'),
    minAborts: z.number().int().min(3).default(40).describe('Minimum fast aborts of one image'),
    minSlowAborts: z.number().int().min(10).default(120).describe('Minimum slow aborts of one image'),
    minTimedAborts: z
      .number()
      .int()
      .min(10)
      .max(700)
      .default(600)
      .describe('Minimum slow aborts of one image that follow a restart timer (low severity)'),
    minTraps: z
      .number()
      .int()
      .min(10)
      .max(700)
      .default(300)
      .describe('Minimum invalid opcodes or general protection faults at one place of one image in the slow window'),
    minChanged: z
      .number()
      .int()
      .min(8)
      .max(700)
      .default(20)
      .describe('Minimum pointers to code of one image that the processor refused, in the slow window'),
    highAborts: z.number().int().default(240).describe('High from this many slow aborts'),
  }),
  severityOf({ detail, evidence }, { highAborts }) {
    const [pace, conclusion, doubt] = detail as [AbortPace?, WitnessConclusion?, string?];
    if (conclusion === 'witnessed') return 'critical';
    if (conclusion === 'asserted' || pace === 'timer' || pace === 'unidentified') return 'low';
    if (pace === 'random') return doubt === MANY_FAULTS ? 'low' : 'medium';
    return pace === 'fast' || evidence >= highAborts ? 'high' : 'medium';
  },
  message({ detail }, { program, where, crashes }) {
    const [pace, conclusion, doubt] = detail as [AbortPace?, WitnessConclusion?, string?];
    if (conclusion === 'asserted')
      return `${program}${where} was forked and aborted again and again (${crashes}), and reported failed assertions of its own: most likely a fault of the program; an attacker who can make an assertion fail can cause the same.`;
    if (conclusion !== 'witnessed' && pace === 'timer')
      return `${program}${where} was forked and aborted again and again at a fixed pace (${crashes}): most likely a worker that fails and is restarted by a timer; an attacker who guesses the stack canary can keep that pace too.`;
    if (conclusion !== 'witnessed' && pace === 'random')
      return `${program}${where} was forked and aborted again and again at random times (${crashes}): an attempt to guess the canary that protects its stack, or a fault that many clients meet. The program’s error output shows which.${doubt === MANY_FAULTS ? ' It also crashes again and again at many other places, as a program under test does.' : ''}`;
    if (conclusion !== 'witnessed' && pace === 'unidentified')
      return `${program}${where} aborted again and again (${crashes}). The log does not show whether its parent forked it or it was executed again: a program that fails when it starts, or an attempt to guess the canary that protects its stack. \`kernel.print-fatal-signals=1\` shows which, except for Go programs.`;
    if (conclusion !== 'witnessed' && pace === 'returns')
      return `${program}${where} was forked, and the processor refused its changed pointers to code again and again (${crashes}): an attempt to guess a pointer authentication code, or to return to code that the program did not call.`;
    const how =
      pace === 'fast'
        ? 'aborted again and again in quick succession'
        : pace === 'traps'
          ? 'trapped again and again at one place'
          : 'aborted again and again';
    return `${program}${where} was forked and ${how} (${crashes}): an attempt to guess the canary that protects its stack${pace === 'traps' ? ' or its return address' : ''}, byte by byte.${conclusion === 'witnessed' ? ' The C library reported a changed canary.' : ''}`;
  },
  evidence: {
    abort: addAbort,
    witness: addWitness,
    crash: addDeliberateTrap,
    crashTraits: CRASH_TRAITS.otherTrap | CRASH_TRAITS.dump | CRASH_TRAITS.jump,
  },
  // An abort has no register of this name. Its signal is the evidence.
  showsIn: (event) => event.type === 'LinuxFatalSignal' && event.signal === ABORT_SIGNAL,
});
