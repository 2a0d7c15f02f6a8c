import { ABORT_SIGNAL, FAULT_SIGNALS, SAME_CRASH_SECONDS } from '#schemas/crash.ts';
import type { ClickHouse } from '../client.ts';
import { eventsTable } from '../tables/events.ts';
import { type Condition, mergeParams } from './filters.ts';
import { QUERY_LIMITS } from './listing.ts';

/** Sorting more than this spills to disk, bytes. */
const SORT_IN_MEMORY = String(2 ** 30);

const list = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ');
const IS_TRAP = `type = 'LinuxKernelTrap'`;
const IS_FAULT = `(type = 'LinuxFatalSignal' AND signal IN (${list(FAULT_SIGNALS)}))`;
const IS_CRASH_LINE = `(${IS_TRAP} OR (type = 'LinuxFatalSignal' AND signal IN (${list([...FAULT_SIGNALS, ABORT_SIGNAL])})))`;

/**
 * Crashes by `key` (SQL), as `schemas/crash.ts` defines them: a dump that follows the trap line of the same process is not counted again, unless
 * both name an address and the addresses differ. The tracker counts the same way while events come in.
 */
export async function countCrashes(
  clickhouse: ClickHouse,
  key: string,
  where: readonly Condition[],
): Promise<ReadonlyMap<string, number>> {
  const conditions = [IS_CRASH_LINE, ...where.map(({ sql }) => sql)];
  const rows = await clickhouse.rows<{ key: string[]; crashes: string }>(
    'count crashes',
    `SELECT key, countIf(NOT repeats) AS crashes FROM (
       SELECT ${key} AS key,
         ${IS_FAULT} AND pid IS NOT NULL AND lagInFrame(toUInt8(${IS_TRAP})) OVER previous = 1
         AND toUnixTimestamp(timestamp) - lagInFrame(toUnixTimestamp(timestamp)) OVER previous <= ${SAME_CRASH_SECONDS}
         AND ifNull(ip = lagInFrame(ip) OVER previous, true) AS repeats
       FROM ${clickhouse.table(eventsTable.name)} WHERE ${conditions.join(' AND ')}
       WINDOW previous AS (PARTITION BY hostname, pid ORDER BY timestamp, type DESC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
     ) GROUP BY key`,
    {
      params: mergeParams(...where.map(({ params }) => params)),
      settings: { ...QUERY_LIMITS, max_bytes_before_external_sort: SORT_IN_MEMORY },
    },
  );
  return new Map(rows.map((row) => [JSON.stringify(row.key), Number(row.crashes)]));
}
