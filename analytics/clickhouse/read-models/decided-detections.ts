import type { ClickHouse } from '../client.ts';
import { detectionTriageTable } from '../tables/detection-triage.ts';

/** The latest decision about a detection. */
export interface LandedDecision {
  readonly id: string;
  /** Time of the decision. It increases with each decision about a detection. Epoch milliseconds. */
  readonly changedMs: number;
}

/** Maximum number of decisions per response. */
const MAX_DECISIONS = 5_000;

/** Returns detections with a decision at or after `sinceMs`, oldest decision first. */
export async function decidedSince(clickhouse: ClickHouse, sinceMs: number): Promise<LandedDecision[]> {
  const rows = await clickhouse.rows<{ id: string; changedMs: string }>(
    'look for new decisions',
    `SELECT id, toString(toUnixTimestamp64Milli(max(changed))) AS changedMs FROM ${clickhouse.table(detectionTriageTable.name)}
     WHERE changed >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
     GROUP BY id ORDER BY max(changed), id LIMIT {limit:UInt64}`,
    { params: { since: String(sinceMs), limit: MAX_DECISIONS }, settings: { max_execution_time: 20 } },
  );
  return rows.map(({ id, changedMs }) => ({ id, changedMs: Number(changedMs) }));
}
