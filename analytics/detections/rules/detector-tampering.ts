import { z } from 'zod';
import type { Instant } from '#schemas/events/accepted.ts';
import type { ConfigMismatch } from '#schemas/events/event.ts';
import { covers, openEpisode } from '../episode.ts';
import { hidesEvidence, normaliseKey } from '../evidence/hiding-settings.ts';
import { defineRule } from '../rule.ts';
import type { TrackerContext } from '../state/context.ts';
import { detachedCopy } from '../state/detached-copy.ts';
import type { Host } from '../state/program.ts';

/** Maximum number of episodes kept per host. Senders choose the keys freely. */
const MAX_EPISODES = 32;
const MAX_KEY = 128;
const MAX_VALUE = 256;

export const rule = defineRule({
  id: 'detector-tampering',
  order: 5,
  version: 1,
  name: 'Detector tampering',
  severity: 'high',
  registers: [],
  restsOn: { kind: 'settings' },
  attack: [
    { tactic: 'TA0005', technique: 'T1562.006', name: 'Impair Defenses: Indicator Blocking' },
    { tactic: 'TA0005', technique: 'T1562.001', name: 'Impair Defenses: Disable or Modify Tools' },
  ],
  summary:
    'The detector had turned on a kernel setting so that crashes leave evidence. The setting was changed to a value that hides them.',
  runbook: {
    nextChecks: [
      'Find out who changed it: configuration management, a package update, an administrator, or an unknown person. The change needs root, so an unknown change means that an attacker has root.',
      'Check the last logins, `sudo` records and shell histories of the host at that time, and the files in `/etc/sysctl.d`.',
      'Turn the setting on again (`trapline detect --configure`), and watch whether it changes again.',
      'Treat the host as unobserved since the last event with the correct setting. Look for probes of the host just before that time.',
    ],
    falsePositives: [
      'Two tools manage the same setting, such as a hardening role that sets `kernel.print-fatal-signals=0`. Remove the setting from one of them.',
      'A reboot. Settings that were made at run time are lost until the detector starts again.',
    ],
  },
  statistics: {
    baseRate: 'Kernel settings change only when an administrator changes them.',
    falseAlarmsPerMonth: 0,
    falseAlarmForEach: 'change by an administrator that hides evidence',
    evasions: [
      {
        evasion: 'Stop the detector instead of changing its settings',
        price: 'Root on the host, as for the change. An alert reports silent detectors.',
        days: null,
      },
    ],
  },
  thresholds: z.strictObject({
    quiet: z.number().positive().default(86_400).describe('Episode ends after this time without a report (seconds)'),
  }),
  message: ({ detail: [key = '', expected = '', observed = ''] }, { where }) =>
    `The setting ${key}${where}, which the detector had set to "${expected}", is now "${observed}": crashes may leave no evidence from then on.`,
  evidence: { mismatch: addMismatch },
});

/** Records a setting that differs from the value that the detector set. Each host and setting has one episode. */
function addMismatch(
  context: TrackerContext,
  host: Host,
  event: ConfigMismatch,
  time: Instant,
  rule: { readonly quiet: number },
): void {
  const change = { key: event.key, expected: event.expected_value, observed: event.observed_value };
  if (!hidesEvidence(change)) return;
  const key = detachedCopy(normaliseKey(event.key), MAX_KEY);
  const values = [detachedCopy(event.expected_value, MAX_VALUE), detachedCopy(event.observed_value, MAX_VALUE)];
  const sameKey = host.episodes?.filter((e) => e.rule === 'detector-tampering' && e.detail[0] === key) ?? [];
  const open = sameKey.find((e) => covers(e, time.seconds, rule.quiet));
  if (open !== undefined) {
    open.evidence += 1;
    open.detail = [key, ...values];
    context.revise(open, time);
    return;
  }
  const episode = openEpisode(
    {
      rule: 'detector-tampering',
      hostname: host.name,
      program: null,
      register: null,
      place: key,
      first: time,
      value: values.join('\n'),
    },
    { procname: null, file: null },
    1,
  );
  episode.detail = [key, ...values];
  const ended = sameKey.find((e) => e.last.seconds < time.seconds);
  const others = (host.episodes ?? []).filter((e) => e !== ended);
  if (others.length >= MAX_EPISODES) {
    const stalest = others.reduce((a, b) => (b.touched < a.touched ? b : a));
    others.splice(others.indexOf(stalest), 1);
  }
  host.episodes = [...others, episode];
  context.revise(episode, time);
}
