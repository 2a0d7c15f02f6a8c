import type { ClickHouse } from '../client.ts';
import { detectionTriageTable } from '../tables/detection-triage.ts';

/** The latest decision about a detection. */
export interface LandedDecision {
  readonly id: string;
  /** When it was made; later ones have a later one. Epoch milliseconds. */
  readonly changedMs: number;
}

/** Decisions in one answer at most. */
const MOST = 5_000;

/** Detections about which something was decided at or after `sinceMs`, the oldest decision first. */
export async function decidedSince(clickhouse: ClickHouse, sinceMs: number): Promise<LandedDecision[]> {
  const rows = await clickhouse.rows<{ id: string; changedMs: string }>(
    'look for new decisions',
    `SELECT id, toString(toUnixTimestamp64Milli(max(changed))) AS changedMs FROM ${clickhouse.table(detectionTriageTable.name)}
     WHERE changed >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
     GROUP BY id ORDER BY max(changed), id LIMIT {limit:UInt64}`,
    { params: { since: String(sinceMs), limit: MOST }, settings: { max_execution_time: 20 } },
  );
  return rows.map(({ id, changedMs }) => ({ id, changedMs: Number(changedMs) }));
}
