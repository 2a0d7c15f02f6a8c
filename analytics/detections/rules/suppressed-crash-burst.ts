import { z } from 'zod';
import { addSuppressed } from '../evidence/suppressed-burst.ts';
import { defineRule } from '../rule.ts';

export const rule = defineRule({
  id: 'suppressed-crash-burst',
  order: 4,
  version: 2,
  name: 'Burst of suppressed crash messages',
  severity: 'medium',
  registers: [],
  // Includes the logged crashes with which the rule compares.
  restsOn: { kind: 'crashes', before: 60 },
  attack: [
    { tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' },
    { tactic: 'TA0040', technique: 'T1499.004', name: 'Application or System Exploitation' },
  ],
  summary:
    'The kernel suppressed far more crash messages of a host than it printed. Programs crash there so often that the printed lines show only a small part.',
  runbook: {
    nextChecks: [
      'Find the program. List the latest crashes that the kernel printed on this host (`trapline query events --hostname HOST --type LinuxKernelTrap`), and check which service restarts most often (`systemctl`, the container runtime).',
      'Set `kernel.print-fatal-signals=1` on the host. Its dumps are not rate-limited, so the next minutes show every crash with its registers.',
      'Compare the time with the access logs of the services of the host. Thousands of crashes a minute need thousands of requests.',
      'Look for a probe detection of the host that opened later. It shows the same attack in more detail.',
    ],
    falsePositives: [
      'A supervisor without a pause restarts a program that crashes at once. The few printed lines then show the same address every time.',
      'A fuzzing job. Run it on its own host, and add an exception with an expiry.',
    ],
  },
  statistics: {
    baseRate: 'A program crashes less than 500 times a minute.',
    falseAlarmsPerMonth: 0,
    falseAlarmForEach: 'supervisor that restarts a failing program without a pause',
    evasions: [
      {
        evasion: 'At most 499 crashes a minute',
        price: 'A blind return-oriented-programming attack of 2,400 requests takes five minutes instead of one.',
        days: 0.003_3,
      },
    ],
  },
  thresholds: z.strictObject({
    window: z.number().positive().default(60).describe('Window of the comparison (seconds)'),
    quiet: z.number().positive().default(600).describe('Episode ends after this time without evidence (seconds)'),
    minSuppressed: z.number().int().min(1).default(500).describe('Minimum suppressed messages in the window'),
    minRatio: z.number().positive().default(20).describe('Minimum ratio of suppressed to printed messages'),
    explainedWithin: z
      .number()
      .positive()
      .default(600)
      .describe('Suppressed messages this long after the latest evidence of an open probe belong to it (seconds)'),
    highSuppressed: z.number().int().default(100_000).describe('High from this many suppressed messages'),
  }),
  severityOf: ({ suppressed }, { highSuppressed }) => (suppressed >= highSuppressed ? 'high' : 'medium'),
  message: ({ suppressed, crashes }, { where }) =>
    `The kernel${where} suppressed at least ${suppressed} crash messages while it logged ${crashes} crashes: programs die far more often than the log shows.`,
  // While disabled, it still assigns suppressed messages to the probes of other rules.
  fedWhenDisabled: true,
  evidence: { suppressed: addSuppressed },
});
