import type { ClickHouse } from '../client.ts';
import { detectionPlacesTable } from '../tables/detection-places.ts';
import { detectionRecordsTable } from '../tables/detection-records.ts';

/** The latest stored revision of a detection. */
export interface LandedRevision {
  readonly id: string;
  readonly revision: number;
}

export interface LandedDetections {
  /** Oldest first. */
  readonly revisions: readonly LandedRevision[];
  /** Time on the server's clock when the read began. Epoch milliseconds. */
  readonly nowMs: number;
}

interface LandedRow {
  readonly nowMs: string;
  readonly revisions: readonly (readonly [at: string, id: string, latest: string])[];
}

/** Maximum number of detections per response. */
export const MAX_LANDED = 50_000;
/**
 * Maximum lag of the clock of a process that writes detections. Its detections are found by the server's clock. Older
 * ones are copies, for example of a table that was moved to a cluster.
 */
const MAX_CLOCK_ERROR_MS = 86_400_000;

/**
 * Returns detections with a revision written at or after `sinceMs`, by the clock of the writer or of the server.
 * Excludes detections that an exception silences.
 */
export async function landedSince(clickhouse: ClickHouse, sinceMs: number): Promise<LandedDetections> {
  const [row] = await clickhouse.rows<LandedRow>(
    'look for new detections',
    `WITH fromUnixTimestamp64Milli({since:Int64}, 'UTC') AS since
     SELECT toString(toUnixTimestamp64Milli(now64(3))) AS nowMs, arraySort((
       SELECT groupArray([at, id, toString(latest)]) FROM (
         SELECT toString(toUnixTimestamp64Milli(max(received))) AS at, id, max(revision) AS latest
         FROM ${clickhouse.table(detectionRecordsTable.name)}
         WHERE received >= since OR (received >= fromUnixTimestamp64Milli({oldest:Int64}, 'UTC')
           AND id IN (SELECT id FROM ${clickhouse.table(detectionPlacesTable.name)} WHERE landed >= since))
         GROUP BY id HAVING argMax(isNull(exception), revision)
         ORDER BY max(received), id LIMIT {limit:UInt64}))) AS revisions`,
    {
      params: { since: String(sinceMs), oldest: String(Math.max(0, sinceMs - MAX_CLOCK_ERROR_MS)), limit: MAX_LANDED },
      settings: { max_execution_time: 20 },
    },
  );
  if (row === undefined) throw new Error('ClickHouse returned no row');
  const revisions = row.revisions.map(([, id, latest]) => ({ id, revision: Number(latest) }));
  return { revisions, nowMs: Number(row.nowMs) };
}

/**
 * Returns the time of the server's clock, epoch milliseconds. It allows positions that do not depend on the clocks of
 * processes.
 */
export async function serverClock(clickhouse: ClickHouse): Promise<number> {
  const [row] = await clickhouse.rows<{ nowMs: string }>(
    'read the clock of the server',
    'SELECT toString(toUnixTimestamp64Milli(now64(3))) AS nowMs',
  );
  if (row === undefined) throw new Error('ClickHouse returned no row');
  return Number(row.nowMs);
}
