import type { ClickHouse } from '../client.ts';
import { deadLetterRecordsTable } from '../tables/dead-letter-records.ts';
import { detectionRecordsTable } from '../tables/detection-records.ts';
import { eventsTable } from '../tables/events.ts';
import { type Buckets, bucketOf, bucketStarts, DASHBOARD_SETTINGS, within } from './buckets.ts';

export interface PipelineInBucket {
  readonly atMs: number;
  /** Number of accepted records. */
  readonly events: number;
  /** Number of rejected records. */
  readonly deadLetters: number;
  /** Number of detections that opened or grew, by their latest write. */
  readonly detections: number;
}

/** Returns the numbers of received records over time, by time of receipt. */
export async function pipelineOverTime(clickhouse: ClickHouse, buckets: Buckets): Promise<PipelineInBucket[]> {
  const [events, deadLetters, detections] = await Promise.all([
    countByBucket(clickhouse, eventsTable.name, 'count()', buckets),
    countByBucket(clickhouse, deadLetterRecordsTable.name, 'count()', buckets),
    countByBucket(clickhouse, detectionRecordsTable.name, 'uniqExact(id)', buckets),
  ]);
  return bucketStarts(buckets).map((atMs) => ({
    atMs,
    events: events.get(atMs) ?? 0,
    deadLetters: deadLetters.get(atMs) ?? 0,
    detections: detections.get(atMs) ?? 0,
  }));
}

async function countByBucket(
  clickhouse: ClickHouse,
  table: string,
  count: string,
  buckets: Buckets,
): Promise<Map<number, number>> {
  const { sql, params } = within('received', buckets);
  const rows = await clickhouse.rows<{ at: string; found: string }>(
    `count ${table} over time`,
    `SELECT ${bucketOf('received')} AS at, ${count} AS found FROM ${clickhouse.table(table)} WHERE ${sql} GROUP BY at`,
    { params, settings: DASHBOARD_SETTINGS },
  );
  return new Map(rows.map(({ at, found }) => [Number(at), Number(found)]));
}

/** Returns the reasons for rejections, most frequent first. */
export async function deadLetterCodes(
  clickhouse: ClickHouse,
  buckets: Buckets,
): Promise<{ readonly code: string; readonly deadLetters: number }[]> {
  const { sql, params } = within('received', buckets);
  const rows = await clickhouse.rows<{ code: string; found: string }>(
    'count reasons',
    `SELECT code, count() AS found FROM ${clickhouse.table(deadLetterRecordsTable.name)} WHERE ${sql}
     GROUP BY code ORDER BY found DESC, code LIMIT 100`,
    { params, settings: DASHBOARD_SETTINGS },
  );
  return rows.map(({ code, found }) => ({ code, deadLetters: Number(found) }));
}

/** Returns the rules that fired, most frequent first. */
export async function detectionsByRule(
  clickhouse: ClickHouse,
  buckets: Buckets,
): Promise<{ readonly rule: string; readonly severity: string; readonly detections: number }[]> {
  const { sql, params } = within('received', buckets);
  const rows = await clickhouse.rows<{ rule: string; severity: string; found: string }>(
    'count detections by rule',
    `SELECT rule.id AS rule, severity, uniqExact(id) AS found FROM ${clickhouse.table(detectionRecordsTable.name)}
     WHERE ${sql} GROUP BY rule, severity ORDER BY found DESC, rule, severity LIMIT 100`,
    { params, settings: DASHBOARD_SETTINGS },
  );
  return rows.map(({ rule, severity, found }) => ({ rule, severity, detections: Number(found) }));
}
