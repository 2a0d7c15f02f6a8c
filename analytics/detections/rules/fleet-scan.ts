import { z } from 'zod';
import { valuesTotal } from '../episode.ts';
import { defineRule } from '../rule.ts';

/** Maximum number of host names in a message. */
const NAMED_HOSTS = 5;

export const rule = defineRule({
  id: 'fleet-scan',
  order: 8,
  version: 2,
  name: 'Scan spread over hosts',
  severity: 'medium',
  registers: [],
  acrossHosts: true,
  attack: [
    { tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' },
    { tactic: 'TA0008', technique: 'T1210', name: 'Exploitation of Remote Services' },
  ],
  summary:
    'One binary crashes on several hosts, a few times on each, and each time at another place. A load balancer spreads the requests of an attacker who looks for addresses to jump to. Crashes at the same place on every host are a bad release and are not reported.',
  runbook: {
    nextChecks: [
      'List the crashes (`trapline query events --type LinuxKernelTrap --file FILE`), and compare their times with the access log of the load balancer. Look for one client, or one kind of request, just before each crash.',
      'Block the client at the load balancer, for the whole pool. A block on one host moves the scan to the other hosts.',
      'Check whether the crashes stopped. A scan that stops by itself has probably found what it looked for. Treat every host of the pool as compromised from that moment.',
      'Restart the program on all hosts, so that each execution gets a new memory layout. Hosts that were cloned from one running image share a layout: restart them first.',
      'Save a core dump of one host and look for the buffer overflow. The request is the same on all hosts.',
    ],
    falsePositives: [
      'A binary with many faults on many hosts, such as a browser on desktops. Its crashes are at many places, but continue for weeks at the same rate. Raise `minPlaces`, or add an exception for the program or file. An exception for a host does not apply, because the detection has no host.',
      'A bad release crashes at the same places on every host and is not reported. If it is reported, each host has a different build of the same size. Compare the package versions.',
      'Fuzzing on a cluster of build hosts. Add an exception for the program, with an expiry.',
    ],
  },
  statistics: {
    baseRate:
      'A binary has a fixed number of faults, and its crashes occur on random hosts. With up to 15 faults, none of 300 simulated fleets of 20 hosts triggers the rule. With 20 equally frequent faults that all occur every day, there are 1.4 false alarms a month.',
    falseAlarmsPerMonth: 0,
    falseAlarmForEach: 'binary with many faults on many hosts, such as a browser on desktops, each day',
    evasions: [
      {
        evasion: 'Two tries at each place, over all hosts',
        price: 'Twice the crashes. A rule that finds this has false alarms.',
        days: null,
      },
      {
        evasion: 'At most 15 probes a day over all hosts',
        price: 'A scan of 1 MiB of code (65,536 places) takes 12 years.',
        days: 4_369,
      },
    ],
  },
  thresholds: z.strictObject({
    quiet: z
      .number()
      .min(3_600)
      .default(86_400)
      .describe('Counting window, aligned to the epoch; each window is a detection of its own (seconds)'),
    minHosts: z.number().int().min(2).default(3).describe('Minimum hosts'),
    minPlaces: z.number().int().min(6).default(16).describe('Minimum distinct places of a scattered scan'),
    minSingles: z
      .number()
      .min(0.1)
      .max(1)
      .default(0.6)
      .describe('Minimum share of crashes at a place with one crash on all hosts, without crash loops'),
    minRun: z
      .number()
      .int()
      .min(4)
      .default(8)
      .describe('Minimum places with one crash of a scan by small steps; not in libraries'),
    maxStep: z.number().int().min(1).default(16).describe('Maximum step between neighbours (bytes)'),
    maxHostShare: z
      .number()
      .min(0.1)
      .max(1)
      .default(0.5)
      .describe('Maximum share of the places on one host; above, the rules for one host decide'),
    highPlaces: z.number().int().default(32).describe('High from this many distinct places'),
  }),
  severityOf: (episode, { highPlaces }) => (valuesTotal(episode) >= highPlaces ? 'high' : 'medium'),
  hostsOf: ({ detail }) => {
    const [, total = '0', , ...hosts] = detail;
    return { hosts, total: Number(total) };
  },
  message: ({ detail, file }, { program, distinct, crashes }) => {
    const [movement, total, build = '', ...hosts] = detail;
    const named = hosts.slice(0, NAMED_HOSTS).join(', ');
    const more = Number(total) - NAMED_HOSTS;
    return `${program} crashes on ${total} hosts (${named}${more > 0 ? ` and ${more} more` : ''}) at ${distinct} places of ${file ?? 'its binary'}${
      build === '' ? '' : ` (build ${build})`
    } in ${crashes}, ${movement === 'steps' ? 'a few bytes apart' : 'hardly any of them twice'}: an attempt to find places to jump to, spread over hosts of one binary.`;
  },
  // No tracker sees all hosts. `fleet/` groups their stored events instead.
  evidence: {},
});
