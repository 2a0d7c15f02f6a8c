import { ALERT_OF_SIGNS, HALF_LIFE_SECONDS, MIDDLE_SCORE, RISK_POINTS } from '#analytics/detections/risk/score.ts';
import { RULES } from '#analytics/detections/rule-registry.ts';
import type { ClickHouse } from '../client.ts';
import type { Condition } from './filters.ts';

/** At which instant of event time scores are computed. */
export interface RiskInstant {
  /** Whole seconds since the epoch. */
  readonly at: number;
  /** Detections that begin later count as if they began at the instant: the clock of a host may be ahead. */
  readonly includesLater: boolean;
}

/** After so many half-lives no detection adds a hundredth of a point. */
const MAX_HALF_LIVES = 32;

/** SQL of hundredths of the normalised score, as `describeRisk` of `risk/score.ts` computes it. */
export const NORMALISED_HUNDREDTHS = (score: string): string =>
  `least(9999, round((1 - exp2(-round(${score}, 2) / ${MIDDLE_SCORE})) * 10000))`;

/** Campaigns belong to no host. The alert of a host's signs is not a sign. */
const NOT_COUNTED = RULES.filter(({ id, acrossHosts }) => acrossHosts === true || id === ALERT_OF_SIGNS).map(
  ({ id }) => id,
);

/**
 * SQL of `key` and `score`, one row for each value of the key expression over the detections: what `scoreOf` of `risk/score.ts` computes. Neither
 * detections that an exception silences nor those with the verdict false positive or benign count.
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
