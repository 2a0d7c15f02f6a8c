import { ABORT_SIGNAL, FAULT_SIGNALS, SAME_CRASH_SECONDS } from '#schemas/crash.ts';
import { KERNEL_FAULT_KIND } from '#schemas/kernel-fault.ts';
import type { ClickHouse } from '../client.ts';
import { eventsTable } from '../tables/events.ts';
import { type Condition, mergeParams } from './filters.ts';
import { QUERY_LIMITS } from './list-query.ts';

/** Bytes above which a sort spills to disk. */
const SORT_IN_MEMORY = String(2 ** 30);

/** Limits of a query that counts crashes. */
export const CRASH_COUNT_LIMITS = { ...QUERY_LIMITS, max_bytes_before_external_sort: SORT_IN_MEMORY };

const list = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ');
const IS_FAULT_OF_KERNEL = `startsWith(ifNull(trap, ''), '${KERNEL_FAULT_KIND}')`;
const IS_TRAP = `(type = 'LinuxKernelTrap' AND NOT ${IS_FAULT_OF_KERNEL})`;
const IS_FAULT = `(type = 'LinuxFatalSignal' AND signal IN (${list(FAULT_SIGNALS)}))`;
/** Condition that selects faults of the kernel itself, which are no crashes. */
export const IS_KERNEL_FAULT = `(type = 'LinuxKernelTrap' AND ${IS_FAULT_OF_KERNEL})`;
/** Condition that selects events that report a crash. */
export const IS_CRASH_LINE = `(${IS_TRAP} OR (type = 'LinuxFatalSignal' AND signal IN (${list([...FAULT_SIGNALS, ABORT_SIGNAL])})))`;

/** SQL of a column of the preceding event of the same process. */
const previous = (column: string): string => `lagInFrame(${column}) OVER previous`;
/** A repeated delivery of the line: the same time, process and place. */
const IS_SAME_LINE = `timestamp = ${previous('timestamp')} AND type = ${previous('type')}
  AND ifNull(ip = ${previous('ip')}, ip IS NULL AND ${previous('ip')} IS NULL)`;
/** The dump of a fault whose trap line is the preceding event. */
const IS_DUMP_OF_TRAP = `${IS_FAULT} AND ${previous(`toUInt8(${IS_TRAP})`)} = 1 AND ifNull(ip = ${previous('ip')}, true)`;
/** A report of the same signal by another source, without registers. */
const IS_WITNESS = `signal = ${previous('signal')} AND (ip IS NULL OR ${previous('ip')} IS NULL)`;

/**
 * Counts crashes by `key` (SQL), as `schemas/crash.ts` defines them. Does not count repeated deliveries of a line. Does
 * not count a dump after the trap line of the same process, unless both contain an address and the addresses differ.
 * Does not count reports of the same signal by another source, such as the journal. The tracker counts incoming events
 * in the same way.
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

/** Returns SQL of `key` and `crashes`, with one row per value of the key expression over the events. */
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
