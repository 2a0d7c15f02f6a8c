import { type Interval, wilsonInterval } from './intervals.ts';
import { MIN_DECISIVE_PAIRS, mcnemarExact, SIGNIFICANCE, signFlipTest } from './significance.ts';

/** Result of one version for one example. */
export interface ArmResult {
  /** Null if there is no verdict, or not yet. */
  readonly passed: boolean | null;
  readonly cost: Readonly<Record<string, number>> | null;
}

export interface ArmPair {
  readonly baseline: ArmResult | undefined;
  readonly candidate: ArmResult | undefined;
}

export interface PassRate {
  readonly passed: number;
  /** Number of runs with a verdict. */
  readonly judged: number;
  readonly rate: number | null;
  readonly interval: Interval | null;
}

export const METRICS = ['durationMs', 'totalTokens', 'credits'] as const;

export interface MetricComparison {
  readonly metric: (typeof METRICS)[number];
  /** Number of examples for which both versions have the value. */
  readonly pairs: number;
  readonly baselineMean: number | null;
  readonly candidateMean: number | null;
  readonly pValue: number | null;
}

export interface ArmComparison {
  readonly baseline: PassRate;
  readonly candidate: PassRate;
  readonly both: number;
  readonly onlyBaseline: number;
  readonly onlyCandidate: number;
  readonly neither: number;
  /** p-value of McNemar's exact test. Null if no example has a verdict for both versions. */
  readonly pValue: number | null;
  /** `too-few`: with so few different results, no outcome could be significant. */
  readonly verdict: 'candidate-better' | 'baseline-better' | 'no-difference' | 'too-few';
  readonly metrics: readonly MetricComparison[];
}

/** Returns the share of passed runs among those with a verdict, with its Wilson interval. */
export function passRate(results: readonly (ArmResult | undefined)[]): PassRate {
  const judged = results.filter((result) => result !== undefined && result.passed !== null);
  const passed = judged.filter((result) => result?.passed === true).length;
  return {
    passed,
    judged: judged.length,
    rate: judged.length === 0 ? null : passed / judged.length,
    interval: wilsonInterval(passed, judged.length) ?? null,
  };
}

/** Compares two versions over the same examples. The tests use only examples with a verdict for both. */
export function compareArms(pairs: readonly ArmPair[]): ArmComparison {
  const count = (baseline: boolean, candidate: boolean) =>
    pairs.filter((pair) => pair.baseline?.passed === baseline && pair.candidate?.passed === candidate).length;
  const both = count(true, true);
  const onlyBaseline = count(true, false);
  const onlyCandidate = count(false, true);
  const neither = count(false, false);
  const judged = both + onlyBaseline + onlyCandidate + neither;
  const pValue = judged === 0 ? null : mcnemarExact(onlyBaseline, onlyCandidate);
  return {
    baseline: passRate(pairs.map((pair) => pair.baseline)),
    candidate: passRate(pairs.map((pair) => pair.candidate)),
    both,
    onlyBaseline,
    onlyCandidate,
    neither,
    pValue,
    verdict: verdictOf(pValue, onlyBaseline, onlyCandidate),
    metrics: METRICS.map((metric) => compareMetric(pairs, metric)),
  };
}

function verdictOf(pValue: number | null, onlyBaseline: number, onlyCandidate: number): ArmComparison['verdict'] {
  if (onlyBaseline + onlyCandidate < MIN_DECISIVE_PAIRS) return 'too-few';
  if (pValue === null || pValue >= SIGNIFICANCE) return 'no-difference';
  return onlyCandidate > onlyBaseline ? 'candidate-better' : 'baseline-better';
}

function compareMetric(pairs: readonly ArmPair[], metric: MetricComparison['metric']): MetricComparison {
  const known = pairs.flatMap(({ baseline, candidate }) => {
    const [a, b] = [baseline?.cost?.[metric], candidate?.cost?.[metric]];
    return a === undefined || b === undefined ? [] : [{ a, b }];
  });
  const mean = (values: readonly number[]) =>
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    metric,
    pairs: known.length,
    baselineMean: mean(known.map(({ a }) => a)),
    candidateMean: mean(known.map(({ b }) => b)),
    pValue: known.length === 0 ? null : signFlipTest(known.map(({ a, b }) => b - a)),
  };
}
