import type { RISK_LEVELS, Severity } from '#schemas/detection.ts';

/** Id of the rule whose detections are the alerts of the score. They do not contribute to it. */
export const ALERT_OF_SIGNS = 'host-risk';

/** Points of a detection by severity: two of medium severity, or five of low, reach the default threshold of an alert. */
export const RISK_POINTS: Readonly<Record<Severity, number>> = { info: 0, low: 10, medium: 30, high: 60, critical: 90 };

/** Half-life of a detection's points without new evidence, seconds. */
export const HALF_LIFE_SECONDS = 86_400;

/** Score that maps to 50 on the scale of 0 to 100. */
export const MIDDLE_SCORE = 50;

export type RiskLevel = (typeof RISK_LEVELS)[number];

/** Minimum normalised score of each level, highest first. */
const LEVELS: readonly (readonly [RiskLevel, number])[] = [
  ['Critical', 90],
  ['High', 70],
  ['Moderate', 40],
  ['Low', 20],
];

/** Input of the score. Times are event times in whole seconds since the epoch. */
export interface RiskDetection {
  /**
   * Key of a sign, which is one rule for one program. Detections of one sign are not added up: the one with the most
   * points counts.
   */
  readonly sign: string;
  readonly points: number;
  readonly first: number;
  readonly last: number;
}

export interface Risk {
  /** Sum over the signs. At least 0, without an upper limit. */
  readonly score: number;
  /** The score on a scale of 0 to 100. It never reaches 100, so it sorts in the same order as the score. */
  readonly normalised: number;
  readonly level: RiskLevel;
}

/** Returns the points of each sign at an instant. Ignores detections that begin later. */
export function pointsBySign(detections: Iterable<RiskDetection>, at: number): Map<string, number> {
  const bySign = new Map<string, number>();
  for (const { sign, points, first, last } of detections) {
    if (first > at) continue;
    const left = decay(points, at - last);
    if (left > (bySign.get(sign) ?? 0)) bySign.set(sign, left);
  }
  return bySign;
}

/** Returns the sum of the signs at an instant. */
export function scoreOf(detections: Iterable<RiskDetection>, at: number): number {
  // Sorted, because a sum of floating-point numbers depends on their order.
  const points = [...pointsBySign(detections, at).values()].sort((a, b) => b - a);
  return points.reduce((sum, one) => sum + one, 0);
}

/**
 * Returns the risk of a host or program at an instant. A pure function of the set of detections: order does not matter.
 */
export function riskAt(detections: Iterable<RiskDetection>, at: number): Risk {
  return describeRisk(scoreOf(detections, at));
}

/** Returns a score with its value on the scale and its level. */
export function describeRisk(exact: number): Risk {
  const score = Math.round(exact * 100) / 100;
  const normalised = Math.min(99.99, Math.round((1 - 2 ** (-score / MIDDLE_SCORE)) * 10_000) / 100);
  const level = LEVELS.find(([, least]) => normalised >= least)?.[0] ?? 'Unknown';
  return { score, normalised, level };
}

/** Returns the points after `age` seconds without evidence. An age of 0 or below means no decay. */
function decay(points: number, age: number): number {
  return age <= 0 ? points : points * 2 ** (-age / HALF_LIFE_SECONDS);
}
