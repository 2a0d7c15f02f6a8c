import { ALERT_OF_SIGNS, HALF_LIFE_SECONDS, MIDDLE_SCORE, RISK_POINTS } from '#analytics/detections/risk/score.ts';
import { RULES } from '#analytics/detections/rule-registry.ts';
import type { ClickHouse } from '../client.ts';
import type { Condition } from './filters.ts';

/** Instant of event time for which scores are computed. */
export interface RiskInstant {
  /** Whole seconds since the epoch. */
  readonly at: number;
  /**
   * True if detections that begin later count as if they began at the instant, because the clock of a host may be
   * ahead.
   */
  readonly includesLater: boolean;
}

/** After this number of half-lives, no detection adds a hundredth of a point. */
const MAX_HALF_LIVES = 32;

/** Returns SQL of hundredths of the normalised score, with the formula of `describeRisk` in `risk/score.ts`. */
export const NORMALISED_HUNDREDTHS = (score: string): string =>
  `least(9999, round((1 - exp2(-round(${score}, 2) / ${MIDDLE_SCORE})) * 10000))`;

/** Rules whose detections do not count: campaigns belong to no host, and the alert of a host's signs is no sign. */
const NOT_COUNTED = RULES.filter(({ id, acrossHosts }) => acrossHosts === true || id === ALERT_OF_SIGNS).map(
  ({ id }) => id,
);

/**
 * Returns SQL of `key` and `score`, with one row per value of the key expression over the detections. It computes the
 * same as `scoreOf` in `risk/score.ts`. Detections that an exception silences, or with the verdict false positive or
 * benign, do not count.
 */
export function riskScores(
  clickhouse: ClickHouse,
  key: string,
  { at, includesLater }: RiskInstant,
  where: readonly Condition[] = [],
): Condition {
  const last = `intDiv(toUnixTimestamp64Nano(lastSeen), 1000000000)`;
  const first = `intDiv(toUnixTimestamp64Nano(firstSeen), 1000000000)`;
  const conditions = [
    'exception IS NULL',
    `ifNull(verdict, '') NOT IN ('false_positive', 'benign')`,
    'rule.id NOT IN {risk_not_counted:Array(String)}',
    `${last} > {risk_at:Int64} - ${MAX_HALF_LIVES * HALF_LIFE_SECONDS}`,
    ...(includesLater ? [] : [`${first} <= {risk_at:Int64}`]),
    ...where.map(({ sql }) => sql),
  ];
  return {
    sql: `SELECT key, sum(points) AS score FROM (
        SELECT ${key} AS key,
          max(transform(severity, {risk_severities:Array(String)}, {risk_points:Array(Float64)}, 0.)
            * exp2(-greatest(0, {risk_at:Int64} - ${last}) / ${HALF_LIFE_SECONDS})) AS points
        FROM ${clickhouse.table('detections')} WHERE ${conditions.join(' AND ')}
        GROUP BY key, rule.id, ifNull(procname, '')
      ) GROUP BY key`,
    params: Object.assign(
      {
        risk_at: at,
        risk_severities: Object.keys(RISK_POINTS),
        risk_points: Object.values(RISK_POINTS),
        risk_not_counted: NOT_COUNTED,
      },
      ...where.map(({ params }) => params),
    ),
  };
}
