import type { ClickHouse } from '../client.ts';
import { eventsTable } from '../tables/events.ts';

/** Time ranges that are searched one after the other, in minutes. The index of `received` skips almost all rows. */
const STRETCHES_MINUTES = [15, 1_440];

/**
 * Returns the time at which the latest event was stored, epoch milliseconds. Undefined if that is more than a day ago.
 */
export async function lastEventMs(clickhouse: ClickHouse, signal: AbortSignal): Promise<number | undefined> {
  for (const minutes of STRETCHES_MINUTES) {
    const [row] = await clickhouse.rows<{ readonly last: string | null }>(
      'read the time of the latest event',
      `SELECT toString(toUnixTimestamp64Milli(maxOrNull(received))) AS last FROM ${clickhouse.table(eventsTable.name)}
       WHERE received > now64(3) - toIntervalMinute({minutes:UInt32})`,
      { params: { minutes }, signal },
    );
    if (row?.last != null) return Number(row.last);
  }
  return undefined;
}
