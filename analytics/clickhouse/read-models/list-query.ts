import type { Condition } from './filters.ts';
import type { ListDefinition } from './list-definition.ts';
import { type SortKey, WALK_BEGAN } from './sort-keys.ts';
import type { TimeWindow } from './time-windows.ts';

interface SelectedRows {
  readonly from: string;
  readonly pick: ListDefinition<never, never>['pick'];
  readonly where: readonly Condition[];
  readonly order: readonly string[];
}

/**
 * Returns the text of a query. With `pick`, an inner query selects the rows. The outer query has the same conditions,
 * because a row may have changed since.
 */
export function selectText(select: string, { from, pick, where, order }: SelectedRows): string {
  const all = (word: string, conditions: readonly Pick<Condition, 'sql'>[]): string =>
    conditions.length === 0 ? '' : `${word} ${conditions.map((condition) => condition.sql).join(' AND ')}`;
  const first = where.filter((condition) => condition.first);
  const rest = where.filter((condition) => !condition.first);
  const clause = (others: readonly Pick<Condition, 'sql'>[]): string =>
    `${all('PREWHERE', first)} ${all('WHERE', others)} ORDER BY ${order.join(', ')} LIMIT {limit:UInt64}`;
  const picked = pick && { sql: `${pick.by} IN (SELECT ${pick.by} FROM ${pick.from(where)} ${clause(rest)})` };
  return `SELECT ${select} FROM ${from} ${clause(picked ? [...rest, picked] : rest)}`;
}

/** Condition that selects the rows after this key. The key of a later page ends with the start of its walk. */
export function rowsAfter(keys: readonly SortKey[], direction: 'ASC' | 'DESC', key: readonly string[]): Condition {
  const places = keys.map((part, i) => part.place(`after_${i}`));
  const isAfter = direction === 'DESC' ? '<' : '>';
  const first = `${keys[0]?.column} ${isAfter}= ${places[0]}`; // redundant, but lets the server use the index
  return {
    sql: `${first} AND (${keys.map((part) => part.column).join(', ')}) ${isAfter} (${places.join(', ')})`,
    params: Object.fromEntries(key.map((value, i) => [i < keys.length ? `after_${i}` : WALK_BEGAN, value])),
  };
}

/** Conditions that select the rows of a time window; none for a bound that is undefined. */
export function inWindow(time: SortKey, { from, before }: Pick<TimeWindow, 'from' | 'before'>): Condition[] {
  return [
    ...(from === undefined
      ? []
      : [{ sql: `${time.column} >= ${time.place('w_from')}`, params: { w_from: String(from) } }]),
    ...(before === undefined
      ? []
      : [{ sql: `${time.column} < ${time.place('w_before')}`, params: { w_before: String(before) } }]),
  ];
}

/** Limits of one query: seconds, rows, bytes. A query that exceeds one is rejected with advice; see `exceededLimit`. */
export const QUERY_LIMITS = {
  max_execution_time: 20,
  max_rows_to_read: '2000000000',
  max_memory_usage: String(3 * 2 ** 30),
} as const;

/** Reads wide columns only for the rows of the page, and skips granules that cannot contain one of the newest rows. */
export const NEWEST_FIRST = {
  query_plan_max_limit_for_lazy_materialization: '10000',
  query_plan_max_limit_for_top_k_optimization: '10000',
} as const;

/**
 * Each thread reads from the disk itself. By default, ClickHouse delegates reads of 128 KiB to other threads, which
 * costs many hand-overs for a word index of some hundred megabytes.
 */
export const READ_AT_ONCE = { local_filesystem_read_method: 'pread' } as const;
