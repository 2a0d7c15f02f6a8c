import type { Instant } from '#schemas/events/accepted.ts';
import type { ClickHouse } from '../client.ts';
import { eventsTable } from '../tables/events.ts';
import { nanosText } from './filters.ts';

/** Events of a stretch of their own time, at most so many: the newest of it. */
export interface BacktestStretch {
  readonly from: Instant;
  readonly to: Instant;
  readonly maxEvents: number;
  /** The server gives up after this, seconds. */
  readonly maxSeconds: number;
  /** Ends the queries. */
  readonly signal?: AbortSignal;
}

/** Where the stretch begins so that it holds at most so many events: the given beginning, or later. Nanoseconds since the epoch. */
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

/** Number of the events that `backtestEvents` returns. */
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

/** The events lane by lane, in each in the order they were judged in the first time; in batches as they are read. */
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
