import { z } from 'zod';
import { ABORT_SIGNAL } from '#schemas/crash.ts';
import type { Severity } from '#schemas/detection.ts';
import { type Episode, valuesTotal } from '../episode.ts';
import { CRASH_TRAITS } from '../evidence/crash-traits.ts';
import { judgeCrash, NEW_LAYOUTS, REVISITED, WITH_OTHERS } from '../evidence/instruction-pointer.ts';
import type { Movement } from '../evidence/pointer-movement.ts';
import { defineRule } from '../rule.ts';

const MOVES: Readonly<Record<Movement, string>> = {
  steps: 'systematically by a few bytes',
  scattered: 'all over its text and hardly ever comes back to a place',
  pages: 'from page to page and stays at one offset in them',
  jumps: 'from one unmapped address to another',
};

/** Arguments against a scan, by the episode detail that states them. */
const DOUBTS = [
  {
    at: 2,
    value: NEW_LAYOUTS,
    text: 'Each crash has a memory layout of its own, which a scan cannot aim at: a damaged file or memory, or many builds of one name, leave the same trace.',
  },
  {
    at: 3,
    value: REVISITED,
    text: 'By now the crashes come back to their places, as those of a program under test do.',
  },
  {
    at: 4,
    value: WITH_OTHERS,
    text: 'Several other programs of the host crash at places of their own too, as with a fault of the machine or in a test suite.',
  },
] as const;

/** The next lower severity. */
const LOWER: Readonly<Record<Severity, Severity>> = {
  critical: 'high',
  high: 'medium',
  medium: 'low',
  low: 'low',
  info: 'info',
};

export const rule = defineRule({
  id: 'instruction-pointer-probe',
  order: 1,
  version: 3,
  name: 'Instruction pointer probe',
  severity: 'high',
  registers: ['ip'],
  attack: [
    { tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' },
    { tactic: 'TA0008', technique: 'T1210', name: 'Exploitation of Remote Services' },
  ],
  summary:
    'The instruction pointer of a program’s crashes moves systematically: in steps of 1 to 16 bytes, over many places of its code, from page to page, or between many unmapped addresses. The order does not matter. An attacker scans for addresses to jump to.',
  runbook: {
    nextChecks: [
      'Compare the times of the crashes with the access log of the program. Which client connected just before each crash? Block it at the edge of the network.',
      'Check whether the crashes stopped. A scan that stops by itself has probably found what it looked for. Treat the host as compromised from that moment: look for new processes, outbound connections, and changed files of the user that runs the program.',
      'Add the crashes that the kernel did not log (`suppressedAtLeast`). It prints about ten such lines in five seconds, so there were more attempts than it logged. A crash of which only the register dump was logged counts as logged (`crashes`).',
      'Look up the probed addresses (`values`) in the binary (`addr2line -e FILE ADDRESS`, `objdump -d`). Steps of 16 bytes in the procedure linkage table are the late stage of a blind return-oriented-programming attack.',
      'Save a core dump and the binary. Then restart the program: only a new execution gets a new memory layout and a new canary. Children that it forks keep the old ones.',
      'Search other hosts for crashes of the same program at the same time.',
    ],
    falsePositives: [
      'A fuzzer or a crash test in a development environment that finds many faults at once. Its crashes are at many places, but a known user runs it. The severity becomes low when the crashes return to each place three times on average. Add an exception for the host or program, with an expiry.',
      'A damaged binary, bad memory or an unstable processor. The severity stays medium while each crash has its own memory layout. It is one level lower while five other programs of the host also crash at random places.',
      'A test suite that makes many small programs crash. The severity is one level lower, as for a fault of the machine.',
      'Many builds with one name, such as `conftest` of configure scripts, or a program that is corrected and tried again. The fault moves by a few bytes with each build. The severity stays medium. Add an exception for the program on build hosts.',
      'A just-in-time compiler under test that generates broken code. The addresses belong to no file and differ from run to run. Such code counts only where the kernel names no files: on 32-bit ARM, on old kernels of arm64 and powerpc, and in register dumps without trap lines.',
      'A forking server that copies both from and to wrong addresses. `memcpy` fails at 18 of its instructions, which are a few bytes apart. About one such server in 50 is reported.',
    ],
  },
  statistics: {
    baseRate:
      'A program has a limited number of faults, and its crashes return to their places. Of 10,000 simulated programs with 20 faults (Zipf’s law), 24 crash at 16 scattered places within 300 crashes, or at 12 places with nine in ten crashes alone at their place. With 15 faults none does. With equally frequent faults, 2 in 1,000 programs do so with 15 faults, and 5 in 100 with 20. In one of 100,000 programs, eight of 60 faults are at the same offset of different pages. With glibc 2.36 (measured), one function of the C library fails at up to 18 places when its data is at a wrong address; 1.5 of 100 programs reach ten of these places before they return to one.',
    falseAlarmsPerMonth: 0.003,
    falseAlarmForEach: 'host where builds of one name crash close together, such as `conftest` and `a.out`',
    evasions: [
      { evasion: 'Two tries at each place, in steps of more than 64 bytes', price: 'Twice the crashes.', days: null },
      {
        evasion: 'At most 11 new places in 6 hours',
        price: 'A scan of 1 MiB of code (65,536 places) takes four years.',
        days: 1_490,
      },
      {
        evasion: 'Each try in a new execution, with a guess of the lowest byte of an address',
        price: 'None, if the program is started again at once: the severity is medium instead of high.',
        days: null,
      },
      {
        evasion: 'Three crashes at each place on average',
        price: 'Three times the crashes: the severity becomes low, after an alert of medium or high severity.',
        days: null,
      },
      {
        evasion: 'A scan in small steps of at most nine places of a library, or of 19 places with two tries each',
        price: 'A library has thousands of places.',
        days: null,
      },
      {
        evasion: 'Crashes of five other executables at random places',
        price: 'Access to the host: the severity is one level lower.',
        days: null,
      },
    ],
  },
  thresholds: z.strictObject({
    window: z.number().positive().default(21_600).describe('Counting window (seconds)'),
    quiet: z.number().positive().default(21_600).describe('Episode ends after this time without evidence (seconds)'),
    maxStep: z.number().int().min(1).default(16).describe('Maximum step between neighbours (bytes)'),
    maxGap: z.number().int().min(1).default(64).describe('Maximum gap inside a longer run (bytes)'),
    minDistinct: z.number().int().min(3).default(3).describe('Minimum distinct addresses of a run without gaps'),
    minDistinctWithGaps: z.number().int().min(3).default(6).describe('Minimum distinct addresses of a run with gaps'),
    maxCrashesPerAddress: z
      .number()
      .positive()
      .default(3)
      .describe('Maximum crashes per address of a run shorter than the minimum with gaps; more are a crash loop'),
    minDistinctInLibrary: z
      .number()
      .int()
      .min(3)
      .default(20)
      .describe('Minimum distinct addresses of a run in a library; one of its functions has fewer places to fail'),
    minAloneInLibrary: z
      .number()
      .int()
      .min(3)
      .default(10)
      .describe('Minimum distinct addresses of a run in a library when hardly any of them comes back'),
    minScattered: z.number().int().min(6).default(16).describe('Minimum distinct places of a scattered scan'),
    minAlone: z
      .number()
      .int()
      .min(6)
      .default(12)
      .describe('Minimum distinct places of a scattered scan when nine crashes of ten are alone at their place'),
    minSingles: z
      .number()
      .min(0.1)
      .max(1)
      .default(0.6)
      .describe('Minimum share of crashes at a place or target with one crash, without crash loops'),
    minPages: z
      .number()
      .int()
      .min(4)
      .default(8)
      .describe('Minimum distinct pages with a crash at the same offset in the page'),
    minJumpTargets: z.number().int().min(2).default(4).describe('Minimum distinct unmapped jump targets of one image'),
    minProtectionFaults: z
      .number()
      .int()
      .min(3)
      .default(8)
      .describe('Minimum distinct places of general protection faults of one image'),
    highDistinct: z.number().int().default(6).describe('High from this many distinct addresses'),
    highScattered: z
      .number()
      .int()
      .default(32)
      .describe('High from this many scattered addresses in a shared memory layout'),
    criticalDistinct: z
      .number()
      .int()
      .default(64)
      .describe('Critical from this many distinct addresses in small steps'),
  }),
  severityOf(episode, thresholds) {
    const severity = bySize(episode, thresholds);
    // Guesses of the lowest address bits also return to a few places, but each with a different layout.
    if (episode.detail[3] === REVISITED && episode.detail[2] !== NEW_LAYOUTS) return 'low';
    return episode.detail[4] === WITH_OTHERS ? LOWER[severity] : severity;
  },
  message: (episode, { program, where, distinct, crashes }) =>
    `The instruction pointer of ${program}${where} moves ${MOVES[episode.detail[1] as Movement]} from crash to crash (${distinct} distinct addresses in ${crashes}): an attempt to find places to jump to, as blind return-oriented programming does.${DOUBTS.map(({ at, value, text }) => (episode.detail[at] === value ? ` ${text}` : '')).join('')}`,
  // While disabled, it still prunes the crash places that other rules read.
  fedWhenDisabled: true,
  evidence: {
    crash: judgeCrash,
    crashTraits: CRASH_TRAITS.fresh | CRASH_TRAITS.episodes | CRASH_TRAITS.jump | CRASH_TRAITS.otherTrap,
  },
  // An abort in the C library shows no jump.
  showsIn: (event) =>
    event.type === 'LinuxKernelTrap' || (event.type === 'LinuxFatalSignal' && event.signal !== ABORT_SIGNAL),
});

interface SizeThresholds {
  readonly highDistinct: number;
  readonly highScattered: number;
  readonly criticalDistinct: number;
}

/** Returns the severity by the number of addresses, before doubts lower it. */
function bySize(episode: Episode, { highDistinct, highScattered, criticalDistinct }: SizeThresholds): Severity {
  const distinct = valuesTotal(episode);
  // In a new layout, an attacker can only guess the lowest bits of an address. Such guesses show as places with the
  // same page offset.
  if (episode.detail[2] === NEW_LAYOUTS && episode.detail[1] !== 'pages') return 'medium';
  if ((episode.detail[1] as Movement) === 'scattered') return distinct >= highScattered ? 'high' : 'medium';
  if (distinct >= criticalDistinct) return 'critical';
  return distinct >= highDistinct ? 'high' : 'medium';
}
