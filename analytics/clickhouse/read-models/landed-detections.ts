import type { ClickHouse } from '../client.ts';
import { detectionRecordsTable } from '../tables/detection-records.ts';

/** The latest revision of a detection that landed. */
export interface LandedRevision {
  readonly id: string;
  readonly revision: number;
  /** When it was written. Epoch milliseconds. */
  readonly receivedMs: number;
}

interface LandedRow {
  readonly id: string;
  readonly latest: string;
  readonly receivedMs: string;
}

/** Detections in one answer at most. */
export const MAX_LANDED = 50_000;

/** Detections of which a revision was written at or after `sinceMs`, oldest first; without those an exception silences. */
export async function landedSince(clickhouse: ClickHouse, sinceMs: number): Promise<LandedRevision[]> {
  const rows = await clickhouse.rows<LandedRow>(
    'look for new detections',
    `SELECT id, max(revision) AS latest, toString(toUnixTimestamp64Milli(max(received))) AS receivedMs
     FROM ${clickhouse.table(detectionRecordsTable.name)}
     WHERE received >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
     GROUP BY id HAVING argMax(isNull(exception), revision)
     ORDER BY max(received), id LIMIT {limit:UInt64}`,
    { params: { since: String(sinceMs), limit: MAX_LANDED }, settings: { max_execution_time: 20 } },
  );
  return rows.map(({ id, latest, receivedMs }) => ({
    id,
    revision: Number(latest),
    receivedMs: Number(receivedMs),
  }));
}
