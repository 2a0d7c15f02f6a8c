import { LOCAL_TOPICS } from '#schemas/topics.ts';
import type { ClickHouse } from '../client.ts';
import { eventsTable } from '../tables/events.ts';
import { DASHBOARD_SETTINGS } from './buckets.ts';

/** The last activity of a host, and its usual time without events. */
export interface DetectorHabit {
  readonly hostname: string;
  /** Time of receipt of its last event. Epoch milliseconds. */
  readonly lastMs: number;
  /** Longest time between two hours with events, in whole hours. Unit: seconds. */
  readonly usualGapSeconds: number;
}

const WINDOW_DAYS = 14;
/** Minimum number of different hours with events. With fewer, no usual gap can be derived. */
const MIN_HOURS = 24;
const MAX_HOSTS = 1_000;

/**
 * Returns the usual gaps of at most 1,000 hosts, those silent for longest first. Kernel logs have no heartbeat: a
 * healthy host without crashes sends nothing. A silent detector can therefore be recognised only by comparison with its
 * past.
 */
export async function detectorHabits(clickhouse: ClickHouse, nowMs = Date.now()): Promise<DetectorHabit[]> {
  const rows = await clickhouse.rows<{ hostname: string; lastMs: string; gapHours: string }>(
    'read habits of detectors',
    `SELECT assumeNotNull(hostname) AS hostname, toString(toUnixTimestamp64Milli(max(received))) AS lastMs,
       arraySort(groupUniqArray(intDiv(toUnixTimestamp64Milli(received), 3600000))) AS hours,
       toString(arrayMax(arrayDifference(hours))) AS gapHours
     FROM ${clickhouse.table(eventsTable.name)} AS stored
     WHERE received >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND stored.hostname IS NOT NULL AND NOT startsWith(topic, {demo:String})
     GROUP BY stored.hostname HAVING length(hours) >= {fewest:UInt64}
     ORDER BY max(received), hostname LIMIT {most:UInt64}`,
    {
      params: {
        from: String(nowMs - WINDOW_DAYS * 86_400_000),
        demo: LOCAL_TOPICS.demo,
        fewest: MIN_HOURS,
        most: MAX_HOSTS,
      },
      settings: DASHBOARD_SETTINGS,
    },
  );
  return rows.map(({ hostname, lastMs, gapHours }) => ({
    hostname,
    lastMs: Number(lastMs),
    usualGapSeconds: Number(gapHours) * 3_600,
  }));
}
