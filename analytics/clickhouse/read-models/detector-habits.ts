import { LOCAL_TOPICS } from '#schemas/topics.ts';
import type { ClickHouse } from '../client.ts';
import { eventsTable } from '../tables/events.ts';
import { DASHBOARD_SETTINGS } from './buckets.ts';

/** When a host was last seen, and how long it usually is silent. */
export interface DetectorHabit {
  readonly hostname: string;
  /** When the last event of it was received. Epoch milliseconds. */
  readonly lastMs: number;
  /** The longest time without an event between two that had one, in whole hours. Seconds. */
  readonly usualGapSeconds: number;
}

const WINDOW_DAYS = 14;
/** A host seen in fewer different hours has no habit that could be derived. */
const FEWEST_HOURS = 24;
const MAX_HOSTS = 1_000;

/**
 * Kernel logs have no heartbeat: a host on which nothing crashes sends nothing, and is well. So a detector can only be missed against
 * what it did before. Those silent for longest come first, since they are what is looked for; more than 1,000 are left out.
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
        fewest: FEWEST_HOURS,
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
