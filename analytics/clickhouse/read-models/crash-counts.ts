import { ABORT_SIGNAL, FAULT_SIGNALS, SAME_CRASH_SECONDS } from '#schemas/crash.ts';
import type { ClickHouse } from '../client.ts';
import { eventsTable } from '../tables/events.ts';
import { type Condition, mergeParams } from './filters.ts';
import { QUERY_LIMITS } from './listing.ts';

/** Sorting more than this spills to disk, bytes. */
const SORT_IN_MEMORY = String(2 ** 30);

/** Limits of a query that counts crashes. */
export const CRASH_COUNT_LIMITS = { ...QUERY_LIMITS, max_bytes_before_external_sort: SORT_IN_MEMORY };

const list = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ');
const IS_TRAP = `type = 'LinuxKernelTrap'`;
const IS_FAULT = `(type = 'LinuxFatalSignal' AND signal IN (${list(FAULT_SIGNALS)}))`;
/** Condition on an event: it reports a crash. */
export const IS_CRASH_LINE = `(${IS_TRAP} OR (type = 'LinuxFatalSignal' AND signal IN (${list([...FAULT_SIGNALS, ABORT_SIGNAL])})))`;

/** Column of the event before, of the same process. */
const previous = (column: string): string => `lagInFrame(${column}) OVER previous`;
/** A line that was delivered again: the same time, process and place. */
const IS_SAME_LINE = `timestamp = ${previous('timestamp')} AND type = ${previous('type')}
  AND ifNull(ip = ${previous('ip')}, ip IS NULL AND ${previous('ip')} IS NULL)`;
/** The dump of a fault that the trap line before reports. */
const IS_DUMP_OF_TRAP = `${IS_FAULT} AND ${previous(`toUInt8(${IS_TRAP})`)} = 1 AND ifNull(ip = ${previous('ip')}, true)`;
/** Another source reports the signal, without registers. */
const IS_WITNESS = `signal = ${previous('signal')} AND (ip IS NULL OR ${previous('ip')} IS NULL)`;

/**
 * Crashes by `key` (SQL), as `schemas/crash.ts` defines them. Not counted again are: a line that was delivered again; a dump that follows the trap
 * line of the same process, unless both name an address and the addresses differ; and a report of the same signal by another source, such as the
 * journal. The tracker counts the same way while events come in.
 */
export async function countCrashes(
  clickhouse: ClickHouse,
  key: string,
  where: readonly Condition[],
): Promise<ReadonlyMap<string, number>> {
  const { sql, params } = crashCounts(clickhouse, key, where);
  const rows = await clickhouse.rows<{ key: string[]; crashes: string }>('count crashes', sql, {
    params,
    settings: CRASH_COUNT_LIMITS,
  });
  return new Map(rows.map((row) => [JSON.stringify(row.key), Number(row.crashes)]));
}

/** SQL of `key` and `crashes`, one row for each value of the key expression over the events. */
export function crashCounts(clickhouse: ClickHouse, key: string, where: readonly Condition[]): Condition {
  const conditions = [IS_CRASH_LINE, ...where.map(({ sql }) => sql)];
  return {
    sql: `SELECT key, countIf(NOT repeats) AS crashes FROM (
       SELECT ${key} AS key,
         pid IS NOT NULL AND toUnixTimestamp(timestamp) - ${previous('toUnixTimestamp(timestamp)')} <= ${SAME_CRASH_SECONDS}
         AND ((${IS_SAME_LINE}) OR (${IS_DUMP_OF_TRAP}) OR ifNull(${IS_WITNESS}, false)) AS repeats
       FROM ${clickhouse.table(eventsTable.name)} WHERE ${conditions.join(' AND ')}
       WINDOW previous AS (PARTITION BY hostname, pid ORDER BY timestamp, type DESC, ip ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
     ) GROUP BY key`,
    params: mergeParams(...where.map(({ params }) => params)),
  };
}
