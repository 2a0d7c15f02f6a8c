import type { RISK_LEVELS, Severity } from '#schemas/detection.ts';

/** Rule whose detections are alerts of the score, and no part of it. */
export const ALERT_OF_SIGNS = 'host-risk';

/** Points of a detection by severity: two of medium severity, or five of low, reach the default threshold of an alert. */
export const RISK_POINTS: Readonly<Record<Severity, number>> = { info: 0, low: 10, medium: 30, high: 60, critical: 90 };

/** After so many seconds without new evidence a detection counts half. */
export const HALF_LIFE_SECONDS = 86_400;

/** This score is 50 on the scale of 0 to 100. */
export const MIDDLE_SCORE = 50;

export type RiskLevel = (typeof RISK_LEVELS)[number];

/** The least normalised score of each level, highest first. */
const LEVELS: readonly (readonly [RiskLevel, number])[] = [
  ['Critical', 90],
  ['High', 70],
  ['Moderate', 40],
  ['Low', 20],
];

/** What a score is made of. Times in whole seconds since the epoch, of the events. */
export interface RiskDetection {
  /** Detections of one sign, i.e. of one rule for one program, are not added up: the one with the most points counts. */
  readonly sign: string;
  readonly points: number;
  readonly first: number;
  readonly last: number;
}

export interface Risk {
  /** Sum over the signs, from 0 without an upper limit. */
  readonly score: number;
  /** The score on a scale of 0 to 100. It never reaches 100, so it sorts as the score does. */
  readonly normalised: number;
  readonly level: RiskLevel;
}

/** Points of each sign at an instant. A detection that begins later does not count. */
export function pointsBySign(detections: Iterable<RiskDetection>, at: number): Map<string, number> {
  const bySign = new Map<string, number>();
  for (const { sign, points, first, last } of detections) {
    if (first > at) continue;
    const left = decay(points, at - last);
    if (left > (bySign.get(sign) ?? 0)) bySign.set(sign, left);
  }
  return bySign;
}

/** Sum of the signs at an instant. */
export function scoreOf(detections: Iterable<RiskDetection>, at: number): number {
  // Sorted: a sum of floating-point numbers depends on their order.
  const points = [...pointsBySign(detections, at).values()].sort((a, b) => b - a);
  return points.reduce((sum, one) => sum + one, 0);
}

/** The risk of a host or program at an instant, given its detections. A pure function of the set: order changes nothing. */
export function riskAt(detections: Iterable<RiskDetection>, at: number): Risk {
  return describeRisk(scoreOf(detections, at));
}

/** A score with its place on the scale and its level. */
export function describeRisk(exact: number): Risk {
  const score = Math.round(exact * 100) / 100;
  const normalised = Math.min(99.99, Math.round((1 - 2 ** (-score / MIDDLE_SCORE)) * 10_000) / 100);
  const level = LEVELS.find(([, least]) => normalised >= least)?.[0] ?? 'Unknown';
  return { score, normalised, level };
}

/** While evidence comes in nothing decays. */
function decay(points: number, age: number): number {
  return age <= 0 ? points : points * 2 ** (-age / HALF_LIFE_SECONDS);
}
