import { z } from 'zod';
import { valuesTotal } from '../episode.ts';
import { CRASH_TRAITS } from '../evidence/crash-traits.ts';
import { judgeJumps, MISSED_PROGRAM, RETURNING } from '../evidence/unmapped-jumps.ts';
import { defineRule } from '../rule.ts';

export const rule = defineRule({
  id: 'unmapped-jump',
  order: 6,
  version: 3,
  name: 'Jumps to unmapped memory',
  severity: 'medium',
  registers: ['ip'],
  attack: [
    { tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' },
    { tactic: 'TA0002', technique: 'T1203', name: 'Exploitation for Client Execution' },
  ],
  summary:
    'A program that is executed again after each crash jumps to memory without code: to the same address in every memory layout, to unmapped memory near itself, or to addresses that a broken pointer does not explain. An attacker guesses where code is.',
  runbook: {
    nextChecks: [
      'Compare the times with the access log of the program. Which client connected just before each crash? Block it at the edge of the network.',
      'Check whether the crashes stopped. If they stopped by themselves, a guess was probably right. Treat the host as compromised from that moment.',
      'Check that the program is 64-bit and position-independent. A 32-bit memory layout has a few hundred variants, and guessing one takes minutes.',
      'Search the changelog of the program for a fix of memory corruption that matches this crash, and update the program.',
    ],
    falsePositives: [
      'A function pointer that is not initialized. It contains what was on the stack or the heap before. A core dump shows the call.',
      'A plug-in that was unloaded while the program still calls it. The address is where the library was.',
      'A program that calls its own code at a wrong distance, or a just-in-time compiler that removes code near the program while it is called. The jumps miss the program at one offset in the page.',
    ],
  },
  statistics: {
    baseRate:
      'A broken pointer has one target, which moves with the memory layout. Targets at fixed addresses do not count, such as kernel functions for old programs, and the data of a program that is not position-independent. Values that glibc leaves in freed memory do not count either: one guess of 16 looks like such a value by chance. A broken pointer to the own program or its heap leads to mapped memory, so jumps to unmapped memory around the program in four layouts are a changed pointer.',
    falseAlarmsPerMonth: 0,
    falseAlarmForEach: 'program that calls code which it has unmapped in four executions or more within 6 hours',
    evasions: [
      {
        evasion: 'Guesses in the area of the libraries that differ by whole pages, drawn at random',
        price:
          'None where every execution has a new layout: the log looks like that of a broken pointer. Guesses in equal steps are found by `memory-search`.',
        days: null,
      },
      {
        evasion: 'Crashes at 15 places of the program and 15 jumps to various addresses in 6 hours',
        price: 'The 256 layouts of a 32-bit program take four days.',
        days: null,
      },
      {
        evasion: 'At most three jumps in 6 hours',
        price: 'The 256 layouts of a 32-bit program take three weeks.',
        days: 21.3,
      },
    ],
  },
  thresholds: z.strictObject({
    window: z.number().positive().default(21_600).describe('Counting window (seconds)'),
    quiet: z.number().positive().default(21_600).describe('Episode ends after this time without a jump (seconds)'),
    minJumps: z.number().int().min(3).default(4).describe('Minimum jumps to memory without code'),
    minTargets: z
      .number()
      .int()
      .min(2)
      .default(3)
      .describe('Minimum distinct targets without address randomisation; a broken pointer has one'),
    minSingles: z.number().min(0.1).max(1).default(0.6).describe('Minimum share of jumps to a target with one jump'),
    minImages: z
      .number()
      .int()
      .min(3)
      .default(4)
      .describe('Minimum executions that jump to one address; a broken pointer moves with the layout'),
    highJumps: z
      .number()
      .int()
      .default(32)
      .describe('High from this many jumps, unless they come back to a few targets'),
  }),
  severityOf: ({ evidence, detail }, { highJumps }) =>
    evidence >= highJumps && detail[0] !== MISSED_PROGRAM && detail[1] !== RETURNING ? 'high' : 'medium',
  message: (episode, { program, where, crashes }) =>
    episode.detail[0] === 'constant'
      ? `${program}${where} jumps to the same unmapped address in every execution (${crashes}): an attempt to guess its memory layout.`
      : episode.detail[0] === MISSED_PROGRAM
        ? `${program}${where} jumps to unmapped memory near itself, in a new memory layout each time (${crashes}): an attempt to change part of a pointer to its code.`
        : `${program}${where} jumps to memory without code, to ${valuesTotal(episode)} addresses (${crashes}): an attempt to guess its memory layout.${episode.detail[1] === RETURNING ? ' The addresses come back to a few places in their pages: broken pointers explain that too.' : ''}`,
  evidence: { crash: judgeJumps, crashTraits: CRASH_TRAITS.jump },
  showsIn: (event) => event.type === 'LinuxKernelTrap',
});
