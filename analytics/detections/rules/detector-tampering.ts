import { z } from 'zod';
import { defineRule } from '../rule.ts';

export const detectorTampering = defineRule({
  id: 'detector-tampering',
  version: 1,
  name: 'Detector tampering',
  severity: 'high',
  registers: [],
  attack: [
    { tactic: 'TA0005', technique: 'T1562.006', name: 'Impair Defenses: Indicator Blocking' },
    { tactic: 'TA0005', technique: 'T1562.001', name: 'Impair Defenses: Disable or Modify Tools' },
  ],
  summary:
    'A kernel setting that the detector had turned on so that crashes leave evidence was changed to one that hides them.',
  runbook: {
    nextChecks: [
      'Ask who changed it: configuration management, a package update, an administrator, or nobody you know. Root is needed, so an unknown change means that somebody has root.',
      'Look at the last logins, `sudo` records and shell histories of the host at the time, and at files in `/etc/sysctl.d`.',
      'Turn the setting back on (`trapline detect --configure`) and watch whether it is changed again.',
      'Treat the time since the last event with the right setting as unobserved: look for probes of this host just before it.',
    ],
    falsePositives: [
      'Two tools that manage the same setting, e.g. a hardening role that sets `kernel.print-fatal-signals=0`. Let one of them win, in its source.',
      'A reboot: settings made at run time are gone until the detector starts again.',
    ],
  },
  thresholds: z.object({
    quiet: z
      .number()
      .positive()
      .default(86_400)
      .describe('The episode ends after so long without another report, seconds'),
  }),
});

export type DetectorTamperingThresholds = z.infer<typeof detectorTampering.thresholds>;
