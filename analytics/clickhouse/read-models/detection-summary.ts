import type { ClickHouse } from '../client.ts';
import { type Buckets, bucketOf, bucketStarts, DASHBOARD_SETTINGS, within } from './buckets.ts';
import { detectionConditions } from './detections.ts';
import { type Filters, mergeParams } from './filters.ts';

/** Number of detections by value, most frequent first. */
export type Counted<Name extends string> = readonly ({ readonly [N in Name]: string | null } & {
  readonly detections: number;
  readonly open: number;
})[];

export interface DetectionSummary {
  readonly detections: number;
  /** Neither closed nor silenced by an exception. */
  readonly open: number;
  readonly silenced: number;
  readonly series: readonly { readonly atMs: number; readonly bySeverity: Readonly<Record<string, number>> }[];
  readonly rules: Counted<'rule'>;
  readonly severities: Counted<'severity'>;
  readonly statuses: Counted<'status'>;
  readonly verdicts: Counted<'verdict'>;
  /** The 50 hosts with the most detections. */
  readonly hosts: Counted<'hostname'>;
  /** The 50 programs with the most detections. */
  readonly programs: Counted<'procname'>;
}

/** Condition that selects open detections. */
export const OPEN = `(status != 'closed' AND exception IS NULL)`;
const MAX_NAMES = 50;

/**
 * Counts detections whose latest evidence lies in the time range, over time and by their properties. Ignores `from` and
 * `to` of the filters.
 */
export async function summariseDetections(
  clickhouse: ClickHouse,
  buckets: Buckets,
  { from: _, to: __, ...filters }: Filters,
): Promise<DetectionSummary> {
  const stretch = within('lastSeen', buckets);
  const conditions = [stretch, ...detectionConditions(clickhouse, filters)];
  const where = conditions.map(({ sql }) => sql).join(' AND ');
  const params = mergeParams(...conditions.map((condition) => condition.params));
  const settings = DASHBOARD_SETTINGS;
  const from = clickhouse.table('detections');

  const by = async <Name extends string>(name: Name, column: string): Promise<Counted<Name>> => {
    const rows = await clickhouse.rows<{ name: string | null; found: string; open: string }>(
      `count detections by ${name}`,
      `SELECT ${column} AS name, count() AS found, countIf(${OPEN}) AS open FROM ${from} WHERE ${where}
       GROUP BY name ORDER BY found DESC, name LIMIT {most:UInt64}`,
      { params: mergeParams(params, { most: MAX_NAMES }), settings },
    );
    return rows.map((row) => ({ [name]: row.name, detections: Number(row.found), open: Number(row.open) })) as never;
  };
  const overTime = clickhouse.rows<{ at: string; severity: string; found: string; open: string; silenced: string }>(
    'count detections over time',
    `SELECT ${bucketOf('lastSeen')} AS at, severity, count() AS found, countIf(${OPEN}) AS open,
       countIf(exception IS NOT NULL) AS silenced
     FROM ${from} WHERE ${where} GROUP BY at, severity`,
    { params, settings },
  );
  const [rows, rules, severities, statuses, verdicts, hosts, programs] = await Promise.all([
    overTime,
    by('rule', 'rule.id'),
    by('severity', 'severity'),
    by('status', 'status'),
    by('verdict', 'verdict'),
    by('hostname', 'hostname'),
    by('procname', 'procname'),
  ]);
  const series = new Map<number, Record<string, number>>(bucketStarts(buckets).map((atMs) => [atMs, {}]));
  for (const { at, severity, found } of rows) {
    const bucket = series.get(Number(at));
    if (bucket !== undefined) bucket[severity] = Number(found);
  }
  const total = (of: 'found' | 'open' | 'silenced') => rows.reduce((sum, row) => sum + Number(row[of]), 0);
  return {
    detections: total('found'),
    open: total('open'),
    silenced: total('silenced'),
    series: [...series].map(([atMs, bySeverity]) => ({ atMs, bySeverity })),
    rules,
    severities,
    statuses,
    verdicts,
    hosts,
    programs,
  };
}
