import { z } from 'zod';
import type { Episode } from '../episode.ts';
import { addSign } from '../risk/add-sign.ts';
import { describeRisk, type Risk } from '../risk/score.ts';
import { defineRule } from '../rule.ts';

export const rule = defineRule({
  id: 'host-risk',
  order: 9,
  version: 1,
  name: 'Risk of a host',
  severity: 'high',
  registers: [],
  restsOn: { kind: 'all' },
  attack: [{ tactic: 'TA0002', technique: 'T1203', name: 'Exploitation for Client Execution' }],
  summary:
    'Several different signs on one host add up, although each of them is too weak for an alert. A sign is one rule for one program. It loses half of its points in 24 hours without new evidence.',
  runbook: {
    nextChecks: [
      'Read the other detections of this host, oldest first. Do they belong together, such as probes of a service and then a crash of a program that grants privileges?',
      'Compare the times of the signs with logins, `sudo` records and changed files of the host.',
      'Check whether other hosts with the same programs have the same signs. Then it is a bad release rather than an attack.',
      'Give each detection a verdict. False positives and benign detections no longer count in the risk score of the host that lists show.',
    ],
    falsePositives: [
      'Failing memory or an overheated processor makes unrelated programs crash. Machine-check lines in the kernel log, or a memory test, show it.',
      'An update of a shared library makes several running programs crash within minutes. The log of the package manager shows it.',
      'A host for crash tests or fuzzing. Add an exception for the host, also for the rules whose detections add up.',
    ],
  },
  statistics: {
    baseRate:
      'Signs are independent of each other. A host has the false alarms of low severity of `sensitive-program-crash`, and three rules of medium severity with one false alarm in ten months each. In a simulation, two of these fall into the same half day in one of 900 months.',
    falseAlarmsPerMonth: 0.001,
    falseAlarmForEach: 'fault of the whole machine, such as failing memory, that makes several programs crash',
    evasions: [
      {
        evasion: 'One sign of medium severity in 32 hours',
        price: 'Each step of the attack waits until the previous sign has decayed.',
        days: 1.33,
      },
    ],
  },
  thresholds: z.strictObject({
    quiet: z
      .number()
      .min(3_600)
      .default(259_200)
      .describe('Episode ends after this time without a sign that is new or grew (seconds)'),
    minScore: z
      .number()
      .min(10)
      .default(50)
      .describe('Minimum sum of signs that have fewer points by themselves: low 10, medium 30, high 60, critical 90'),
    criticalScore: z.number().min(10).default(150).describe('Critical from this score'),
  }),
  severityOf: ({ detail: [score] }, { criticalScore }) => (Number(score) >= criticalScore ? 'critical' : 'high'),
  riskOf,
  message: (episode, { where }) => {
    const [, ...signs] = episode.detail;
    const risk = riskOf(episode);
    return `The signs${where} add up to a risk score of ${risk.score} (${risk.normalised} of 100): ${signs.map(named).join(', ')}.`;
  },
  evidence: { detection: addSign },
});

function riskOf({ detail: [score = '0'] }: Episode): Risk {
  return describeRisk(Number(score));
}

/** Formats a sign as `RULE of PROGRAM`. */
function named(sign: string): string {
  const at = sign.indexOf(' ');
  const program = sign.slice(at + 1);
  return program === '' ? sign.slice(0, at) : `${sign.slice(0, at)} of ${program}`;
}
