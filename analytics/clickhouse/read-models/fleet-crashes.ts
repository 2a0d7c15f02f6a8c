import { MAX_COUNTED } from '#analytics/detections/fleet/judge-fleet.ts';
import type { ClickHouse } from '../client.ts';
import { eventsTable } from '../tables/events.ts';
import { QUERY_LIMITS } from './list-query.ts';

/** Maximum number of binaries per poll, of crashes read per binary, and of time ranges searched. */
const MAX_BINARIES = 1_000;
const MAX_CRASHES = 50_000;
const MAX_STRETCHES = 64;

/** A binary that crashed on several hosts at several places within one time window. */
export interface FleetBinary {
  readonly file: string;
  readonly vmasize: string;
  /** Number of the time window since the epoch. */
  readonly window: string;
  /** Number of stored crashes. If it is unchanged, nothing was added. */
  readonly crashes: string;
}

export interface FleetWindow {
  readonly windowSeconds: number;
  readonly minHosts: number;
  readonly minPlaces: number;
}

const PLACED = `type = 'LinuxKernelTrap' AND hostname IS NOT NULL AND file IS NOT NULL AND ip >= vmastart`;
const WINDOW = 'intDiv(toUnixTimestamp(timestamp), {windowSeconds:UInt32})';
/**
 * SQL of the binary. The kernel marks a file that was replaced on disk. It is the same binary until the program
 * restarts.
 */
const BINARY = `if(endsWith(file, ' (deleted)'), substring(file, 1, length(file) - 10), file) AS binary,
  ifNull(vmasize, 0) AS size, ${WINDOW} AS window`;

/** Period of receipt, epoch milliseconds. `untilMs` undefined: up to the newest crash. */
export interface ReceivedPeriod {
  readonly sinceMs: number;
  readonly untilMs?: number | undefined;
}

/**
 * Returns binaries with a crash received in the period, and with enough hosts and places in the window of that crash.
 * Only these can be a scan. The fleet rule decides.
 */
export async function changedBinaries(
  clickhouse: ClickHouse,
  { sinceMs, untilMs }: ReceivedPeriod,
  { windowSeconds, minHosts, minPlaces }: FleetWindow,
): Promise<FleetBinary[]> {
  const events = clickhouse.table(eventsTable.name);
  const until = untilMs === undefined ? {} : { untilMs };
  const params = { sinceMs, ...until, windowSeconds, minHosts, minPlaces, limit: MAX_BINARIES };
  const before = untilMs === undefined ? '' : " AND received < fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC')";
  const changed = `SELECT DISTINCT ${BINARY} FROM ${events} WHERE ${PLACED} AND received >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')${before}`;
  const windows = await clickhouse.rows<{ window: string }>(
    'find windows with new crashes',
    `SELECT DISTINCT toString(window) AS window FROM (${changed}) ORDER BY window DESC LIMIT {limit:UInt32}`,
    { params: { sinceMs, ...until, windowSeconds, limit: MAX_BINARIES }, settings: QUERY_LIMITS },
  );
  if (windows.length === 0) return [];
  return clickhouse.rows<FleetBinary>(
    'find binaries that crash on several hosts',
    `SELECT binary AS file, toString(size) AS vmasize, toString(window) AS window, toString(count) AS crashes FROM (
       SELECT ${BINARY}, uniq(hostname) AS hosts, uniq(ip - vmastart) AS places, count() AS count
       FROM ${events}
       WHERE ${PLACED} AND (${stretches(
         windows.map(({ window }) => Number(window)),
         windowSeconds,
       )})
         AND (binary, size, window) IN (${changed})
       GROUP BY binary, size, window HAVING hosts >= {minHosts:UInt32} AND places >= {minPlaces:UInt32}
     ) ORDER BY window DESC, binary, size LIMIT {limit:UInt32}`,
    { params, settings: QUERY_LIMITS },
  );
}

/**
 * Returns a condition that can use the indexes on `timestamp`: the windows, with adjacent ones merged, limited to the
 * latest `MAX_STRETCHES`.
 */
function stretches(windows: readonly number[], windowSeconds: number): string {
  const found: { from: number; to: number }[] = [];
  for (const window of [...new Set(windows)].sort((a, b) => b - a)) {
    const last = found.at(-1);
    if (last?.from === window + 1) last.from = window;
    else found.push({ from: window, to: window + 1 });
  }
  const instant = (window: number): string => `toDateTime64(${window * windowSeconds}, 9, 'UTC')`;
  return found
    .slice(0, MAX_STRETCHES)
    .map(({ from, to }) => `(timestamp >= ${instant(from)} AND timestamp < ${instant(to)})`)
    .join(' OR ');
}

/**
 * Returns the JSON of the crashes of a binary in a window, ordered by time: per host, process name and place the
 * earliest `MAX_COUNTED`. A crash that was stored twice is returned once.
 */
export async function crashesOfBinary(
  clickhouse: ClickHouse,
  { file, vmasize, window }: FleetBinary,
  windowSeconds: number,
): Promise<string[]> {
  const rows = await clickhouse.rows<{ raw: string }>(
    'read crashes of a binary',
    `SELECT raw FROM (
       SELECT raw, timestamp, hostname, pid, procname, ip - vmastart AS place
       FROM ${clickhouse.table(eventsTable.name)}
       WHERE ${PLACED} AND file IN ({file:String}, concat({file:String}, ' (deleted)')) AND ifNull(vmasize, 0) = {vmasize:UInt64} AND ${WINDOW} = {window:UInt64}
         AND timestamp >= toDateTime64({window:UInt64} * {windowSeconds:UInt32}, 9, 'UTC')
         AND timestamp < toDateTime64(({window:UInt64} + 1) * {windowSeconds:UInt32}, 9, 'UTC')
       ORDER BY timestamp, hostname, pid, place LIMIT 1 BY timestamp, hostname, pid, place
     ) ORDER BY timestamp, hostname, pid, place LIMIT {counted:UInt32} BY hostname, procname, place LIMIT {limit:UInt32}`,
    {
      params: { file, vmasize, window, windowSeconds, counted: MAX_COUNTED, limit: MAX_CRASHES },
      settings: QUERY_LIMITS,
    },
  );
  return rows.map(({ raw }) => raw);
}
