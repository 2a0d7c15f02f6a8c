import type { Instant } from '#schemas/events/accepted.ts';
import type { ClickHouse } from '../client.ts';
import { eventsTable } from '../tables/events.ts';
import { nanosText } from './filters.ts';

/** The newest `maxEvents` events of a time range (event time). */
export interface BacktestStretch {
  readonly from: Instant;
  readonly to: Instant;
  readonly maxEvents: number;
  /** Maximum execution time on the server, seconds. */
  readonly maxSeconds: number;
  /** Cancels the queries. */
  readonly signal?: AbortSignal;
}

/**
 * Returns the start of the time range, nanoseconds since the epoch. It is later than `from` if there are more than
 * `maxEvents` events.
 */
export async function backtestBegin(
  clickhouse: ClickHouse,
  { from, to, maxEvents, maxSeconds, signal }: BacktestStretch,
): Promise<{ readonly fromNanos: string; readonly shortened: boolean }> {
  const [row] = await clickhouse.rows<{ begin: string }>(
    'find where a back-test begins',
    `SELECT toString(toUnixTimestamp64Nano(timestamp)) AS begin FROM ${clickhouse.table(eventsTable.name)} WHERE ${WITHIN}
     ORDER BY timestamp DESC LIMIT 1 OFFSET {most:UInt64}`,
    {
      params: { ...stretch(nanosText(from), to), most: maxEvents },
      settings: { max_execution_time: maxSeconds, max_memory_usage: String(2 * 2 ** 30) },
      ...(signal ? { signal } : {}),
    },
  );
  if (row === undefined) return { fromNanos: nanosText(from), shortened: false };
  return { fromNanos: String(BigInt(row.begin) + 1n), shortened: true };
}

/** Returns the number of events that `backtestEvents` yields. */
export async function countBacktestEvents(
  clickhouse: ClickHouse,
  fromNanos: string,
  { to, maxSeconds }: BacktestStretch,
): Promise<number> {
  const [row] = await clickhouse.rows<{ events: string }>(
    'count events for a back-test',
    `SELECT count() AS events FROM ${clickhouse.table(eventsTable.name)} WHERE ${WITHIN}`,
    { params: stretch(fromNanos, to), settings: { max_execution_time: maxSeconds } },
  );
  return Number(row?.events ?? 0);
}

/** Yields the events lane by lane, in batches. Within a lane, they are in the order in which they were first judged. */
export function backtestEvents(
  clickhouse: ClickHouse,
  fromNanos: string,
  { to, maxSeconds, signal }: BacktestStretch,
): AsyncIterable<{ readonly lane: string; readonly raw: string }[]> {
  return clickhouse.stream(
    'read events for a back-test',
    `SELECT concat(toString(partition), '/', topic) AS lane, raw FROM ${clickhouse.table(eventsTable.name)} WHERE ${WITHIN}
     ORDER BY topic, partition, offset`,
    {
      params: stretch(fromNanos, to),
      settings: { optimize_read_in_order: 1, max_block_size: '8192', max_execution_time: maxSeconds },
      ...(signal ? { signal } : {}),
    },
  );
}

const WITHIN = `timestamp >= fromUnixTimestamp64Nano({from:Int64}, 'UTC') AND timestamp < fromUnixTimestamp64Nano({to:Int64}, 'UTC')`;

function stretch(from: string, to: Instant) {
  return { from, to: nanosText(to) };
}
