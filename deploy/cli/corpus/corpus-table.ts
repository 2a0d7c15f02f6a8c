import { textTable } from '../executions/text-table.ts';
import type { Alert } from './alert.ts';
import type { Verdict } from './judge.ts';
import type { Score } from './score.ts';

const TITLES = ['CAPTURE', 'KIND', 'RESULT', 'ALERTS', 'FIRST ALERT', 'CRASHES', 'RULES'];

/** Formats one line per capture, then the figures of the corpus. */
export function corpusTable(verdicts: ReadonlyMap<string, Verdict>, total: Score): string {
  return `${textTable(TITLES, [...verdicts].map(row))}\n${scoreText(total)}`;
}

function row([name, { kind, first, alerts, ...verdict }]: [string, Verdict]): string[] {
  return [
    name,
    kind,
    resultOf({ kind, first, alerts, ...verdict }),
    String(alerts.length),
    first === null ? '-' : `${first.seconds.toFixed(1)} s`,
    first === null ? '-' : String(first.crashes),
    alerts.length === 0 ? '-' : [...new Set(alerts.map(ruleText))].join(', '),
  ];
}

function resultOf({ kind, found, falseAlarms }: Verdict): string {
  const results = [
    ...(kind === 'attack' ? [found ? 'found' : 'MISSED'] : []),
    ...(falseAlarms.length > 0 ? ['FALSE ALARM'] : []),
  ];
  return results.join(', ') || 'quiet';
}

function ruleText({ rule, severity }: Alert): string {
  return `${rule} (${severity})`;
}

function scoreText(total: Score): string {
  const { attacks, found, benign, falselyAlarmed } = total;
  return [
    `recall ${percent(total.recall)} (${found} of ${attacks} attacks), precision ${percent(total.precision)} `,
    `(${falselyAlarmed} of ${attacks + benign} captures with a false alarm), `,
    `first alert after ${figure(total.medianSecondsToAlert)} s and ${figure(total.medianCrashesToAlert)} crashes (medians), `,
    `${figure(total.alertsPerAttack)} alerts an attack\n`,
  ].join('');
}

function percent(share: number | null): string {
  return share === null ? '-' : `${(share * 100).toFixed(1)} %`;
}

function figure(value: number | null): string {
  return value === null ? '-' : value.toLocaleString('en-US', { maximumFractionDigits: 1 });
}
