import type { DetectionGrouping } from '#schemas/api/detection-sort.ts';
import { SEVERITIES, type Severity } from '#schemas/detection.ts';
import type { ClickHouse } from '../client.ts';
import { detectionPlacesTable } from '../tables/detection-places.ts';
import { campaignOf } from './campaign-of.ts';
import { walkBegan } from './detection-places.ts';
import { OPEN } from './detection-summary.ts';
import { detectionConditions } from './detections.ts';
import { type Condition, type Filters, mergeParams } from './filters.ts';
import { QUERY_LIMITS } from './list-query.ts';

export interface DetectionGroup {
  /** Common value of the detections in the group; null if they have none. */
  readonly value: string | null;
  /** Name of the rule, or program of the campaign. */
  readonly name: string | null;
  readonly detections: number;
  /** Neither closed nor silenced by an exception. */
  readonly open: number;
  readonly worstSeverity: Severity;
  readonly crashes: number;
  readonly hosts: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
}

interface GroupRow extends Pick<DetectionGroup, 'value' | 'name' | 'worstSeverity' | 'firstSeen' | 'lastSeen'> {
  readonly detections: string;
  readonly opened: string;
  readonly crashes: string;
  readonly hosts: string;
}

/** Columns of the inner query. It is separate from the aggregation because counts have the same names as columns. */
const READ = 'id, rule, severity, procname, crashes, firstSeen, lastSeen, status, exception, hostsTotal';
/** The host of a detection, or the hosts that a campaign lists. */
const REACHED = "if(hostname IS NULL, arrayMap(host -> toString(host), hosts), [ifNull(toString(hostname), '')])";
const RANK = `indexOf([${SEVERITIES.map((severity) => `'${severity}'`).join(', ')}], severity)`;

/** Returns at most `limit` groups, worst severity first, and the total number of groups. */
export async function groupDetections(
  clickhouse: ClickHouse,
  by: DetectionGrouping,
  filters: Filters,
  limit: number,
): Promise<{ readonly data: DetectionGroup[]; readonly groups: number; readonly detections: number }> {
  const key = by === 'campaign' ? `nullIf(${campaignOf(clickhouse)}, '')` : by === 'rule' ? 'rule.id' : by;
  const name = by === 'campaign' ? 'anyIf(procname, id = found)' : by === 'rule' ? 'any(rule.name)' : 'NULL';
  const { where, params } = chosen(clickhouse, filters);
  const table = clickhouse.table('detections');
  const [rows, [total]] = await Promise.all([
    clickhouse.rows<GroupRow>(
      `group detections by ${by}`,
      `SELECT value, name, detections, opened, worstSeverity, crashes, hosts, firstSeen, lastSeen FROM (
         SELECT found AS value, ${name} AS name, count() AS detections, countIf(${OPEN}) AS opened,
           max(${RANK}) AS worst, argMax(severity, ${RANK}) AS worstSeverity, sum(crashes) AS crashes,
           greatest(uniqExactArray(reached), max(hostsTotal)) AS hosts, min(firstSeen) AS firstSeen, max(lastSeen) AS lastSeen
         FROM (SELECT ${READ}, ${REACHED} AS reached, ${key} AS found FROM ${table} ${where}) GROUP BY found
       ) ORDER BY worst DESC, opened DESC, detections DESC, value LIMIT {limit:UInt64}`,
      { params: mergeParams(params, { limit }), settings: QUERY_LIMITS },
    ),
    clickhouse.rows<{ groups: string; detections: string }>(
      `count groups of detections by ${by}`,
      `SELECT uniqExact(ifNull(concat('=', toString(${key})), '')) AS groups, count() AS detections FROM ${table} ${where}`,
      { params, settings: QUERY_LIMITS },
    ),
  ]);
  return {
    data: rows.map(({ opened, ...row }) => ({
      ...row,
      detections: Number(row.detections),
      open: Number(opened),
      crashes: Number(row.crashes),
      hosts: Number(row.hosts),
    })),
    groups: Number(total?.groups ?? 0),
    detections: Number(total?.detections ?? 0),
  };
}

/** Returns the number of detections that match the filters, and the time of this state for `landedBy`. */
export async function countDetections(
  clickhouse: ClickHouse,
  filters: Filters,
): Promise<{ readonly detections: number; readonly asOfMs: number }> {
  const { where, params } = chosen(clickhouse, filters);
  const [row] = await clickhouse.rows<{ detections: string; asOf: string }>(
    'count detections',
    `SELECT count() AS detections, ${walkBegan(clickhouse)} AS asOf FROM ${clickhouse.table('detections')} ${where}`,
    { params, settings: QUERY_LIMITS },
  );
  return { detections: Number(row?.detections ?? 0), asOfMs: Number(row?.asOf ?? 0) };
}

/**
 * Condition that selects detections that were stored at an instant of the server's clock. A detection that changed
 * later is included if its list places of the last seven days show that it existed before.
 */
export function landedBy(clickhouse: ClickHouse, asOfMs: number): Condition {
  const places = clickhouse.table(detectionPlacesTable.name);
  return {
    sql: `id NOT IN (SELECT id FROM ${places} GROUP BY id HAVING min(landed) > fromUnixTimestamp64Milli({as_of:Int64}, 'UTC'))`,
    params: { as_of: String(asOfMs) },
  };
}

function chosen(clickhouse: ClickHouse, filters: Filters) {
  const conditions = detectionConditions(clickhouse, filters);
  return {
    where: conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    params: mergeParams(...conditions.map((condition) => condition.params)),
  };
}
