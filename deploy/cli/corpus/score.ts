import type { Verdict } from './judge.ts';

/** Figures of a detector for a corpus. A ratio is null if its denominator is 0. */
export interface Score {
  readonly attacks: number;
  readonly found: number;
  readonly benign: number;
  /** Captures with a false alarm. */
  readonly falselyAlarmed: number;
  /** Fraction of correct results among the captures with a judged alert. */
  readonly precision: number | null;
  /** Fraction of the attacks that were detected. */
  readonly recall: number | null;
  /** From the first crash of an attack to the alert that detected it; median over detected attacks. */
  readonly medianSecondsToAlert: number | null;
  readonly medianCrashesToAlert: number | null;
  /** Alerts of all rules in captures of attacks, per attack. */
  readonly alertsPerAttack: number | null;
}

/** Computes the figures of a corpus from the verdicts on its captures. */
export function score(verdicts: readonly Verdict[]): Score {
  const attacks = verdicts.filter(({ kind }) => kind === 'attack');
  const first = attacks.flatMap((verdict) => (verdict.first === null ? [] : [verdict.first]));
  const falselyAlarmed = verdicts.filter(({ falseAlarms }) => falseAlarms.length > 0).length;
  const alerts = attacks.reduce((sum, verdict) => sum + verdict.alerts.length, 0);
  return {
    attacks: attacks.length,
    found: first.length,
    benign: verdicts.length - attacks.length,
    falselyAlarmed,
    precision: ratio(first.length, first.length + falselyAlarmed),
    recall: ratio(first.length, attacks.length),
    medianSecondsToAlert: median(first.map(({ seconds }) => seconds)),
    medianCrashesToAlert: median(first.map(({ crashes }) => crashes)),
    alertsPerAttack: ratio(alerts, attacks.length),
  };
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return null;
  const upper = sorted[Math.floor(middle)] as number;
  return Number.isInteger(middle) ? ((sorted[middle - 1] as number) + upper) / 2 : upper;
}
