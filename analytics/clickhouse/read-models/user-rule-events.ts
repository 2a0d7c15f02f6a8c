import { countedGroups, fieldsOf, needsWholeEvents, ruleWhere } from '#analytics/detections/user-rules/prefilter.ts';
import type { UserRule } from '#analytics/detections/user-rules/user-rule.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import type { ClickHouse } from '../client.ts';
import { eventsTable } from '../tables/events.ts';
import { nanosText } from './filters.ts';
import { type FiringSlices, findFiringSlices, MISMATCHES, OTHERS } from './firing-slices.ts';

/** The newest `maxEvents` events of a time range (event time) that a user rule must judge. */
export interface RuleStretch {
  readonly from: Instant;
  readonly to: Instant;
  readonly maxEvents: number;
  /** Maximum execution time on the server, seconds. */
  readonly maxSeconds: number;
  /** Cancels the queries. */
  readonly signal?: AbortSignal;
}

/** Number of events, and a way to read those that the rule must judge. */
export interface RuleEvents {
  /** Number of events in the time range. */
  readonly events: number;
  /** Number of events that the rule must judge, at most `maxEvents`. */
  readonly candidates: number;
  /** Time of the first event to judge, nanoseconds since the epoch. */
  readonly fromNanos: string;
  readonly shortened: boolean;
  /** Columns of a row after lane, seconds and nanoseconds. Undefined if the row holds the whole event. */
  readonly columns: readonly string[] | undefined;
  /**
   * Yields the rows as JSONCompactEachRow, lane by lane. Within a lane, they are in the order in which they were first
   * judged.
   */
  rows(): AsyncIterable<Buffer>;
}

/**
 * Columns that the engine always needs, and those by which it recognises repeated crashes and other repeated events.
 * Addresses and process ids hardly compress: reading them takes as long as all other columns together.
 */
const ALWAYS = ['hostname', 'type'];
const OF_REPEATS = ['pid', 'ip'];
const OF_OTHERS = ['count', 'function_name'];
const WITHIN = `timestamp >= fromUnixTimestamp64Nano({from:Int64}, 'UTC') AND timestamp < fromUnixTimestamp64Nano({to:Int64}, 'UTC')`;
/**
 * Up to this number of matching events, the count also collects their times. The read then skips all blocks without one
 * of these times. If all times differ, no event is a repeat.
 */
const MAX_TIMES = 10_000;
const SETTINGS = {
  max_query_size: '8388608',
  max_ast_elements: '200000',
  max_expanded_ast_elements: '400000',
  max_memory_usage: String(4 * 2 ** 30),
  optimize_read_in_order: 0,
  // As many as there are cores. List queries use one thread in the embedded engine, which shares the cores with
  // everything else.
  max_threads: 0,
  // For thousands of separate rows, delegating each read to another thread takes twice as long.
  local_filesystem_read_method: 'pread',
} as const;

/** Finds the stored events that a user rule must judge. ClickHouse skips events that cannot match or cannot fire. */
export async function findRuleEvents(
  clickhouse: ClickHouse,
  rule: UserRule,
  stretch: RuleStretch,
): Promise<RuleEvents> {
  const { from, to, maxEvents, maxSeconds, signal } = stretch;
  const table = clickhouse.table(eventsTable.name);
  const params = { from: nanosText(from), to: nanosText(to) };
  const options = { params, settings: { ...SETTINGS, max_execution_time: maxSeconds }, ...(signal ? { signal } : {}) };
  const matching = `${WITHIN} AND ${ruleWhere(rule)}`;
  const groups = countedGroups(rule);
  const slices =
    groups === undefined ? undefined : await findFiringSlices(clickhouse, groups, { table, matching, options });
  const counted = slices ?? (await countMatching());
  const { found, mismatches, others, mayRepeat } = counted;
  const where = `${counted.values} AND ${matching} AND ${counted.where}`;
  const shortened = found > maxEvents;
  const fromNanos = shortened ? await beginOfNewest() : params.from;
  const columns = needsWholeEvents(rule) ? undefined : columnsOf(rule, { hasOthers: others > 0, mayRepeat });
  return {
    events: await countAll(),
    candidates: Math.min(found, maxEvents),
    fromNanos,
    shortened,
    columns,
    rows,
  };

  async function countAll(): Promise<number> {
    const [row] = await clickhouse.rows<{ events: string }>(
      'count events for a back-test',
      `SELECT count() AS events FROM ${table} WHERE ${WITHIN}`,
      options,
    );
    return Number(row?.events ?? 0);
  }

  /** Counts the matching events, and determines where to read them. */
  async function countMatching(): Promise<FiringSlices> {
    const [row] = await clickhouse.rows<{ found: string; mismatches: string; others: string; times: string[] }>(
      'count matching events for a back-test',
      `SELECT count() AS found, ${MISMATCHES} AS mismatches, ${OTHERS} AS others, arrayMap(toString, groupUniqArray(${MAX_TIMES + 1})(timestamp)) AS times
       FROM ${table} WHERE ${matching}`,
      options,
    );
    const times = row?.times ?? [];
    const found = Number(row?.found ?? 0);
    return {
      values: '1',
      where: times.length > MAX_TIMES ? '1' : `timestamp IN (${times.map((time) => `'${time}'`).join(',') || 'NULL'})`,
      found,
      mismatches: Number(row?.mismatches ?? 0),
      others: Number(row?.others ?? 0),
      mayRepeat: times.length !== found,
    };
  }

  async function beginOfNewest(): Promise<string> {
    const [row] = await clickhouse.rows<{ begin: string }>(
      'find where a back-test begins',
      `SELECT toString(toUnixTimestamp64Nano(timestamp)) AS begin FROM ${table} WHERE ${where} ORDER BY timestamp DESC LIMIT 1 OFFSET {most:UInt64}`,
      { ...options, params: { ...params, most: maxEvents } },
    );
    return row === undefined ? params.from : String(BigInt(row.begin) + 1n);
  }

  async function* rows(): AsyncIterable<Buffer> {
    if (found === 0) return;
    // Does not read the column with the JSON of settings if no event has one. For thousands of separate events, reading
    // it takes longer than all other columns.
    const setting = mismatches > 0 ? `if(type = 'ConfigMismatch', detector_raw, '')` : `''`;
    const content = columns === undefined ? 'raw' : `${columns.join(', ')}, ${setting}`;
    yield* clickhouse.bytes(
      'read events for a back-test',
      `WITH toUnixTimestamp64Nano(timestamp) AS nanos, positiveModulo(nanos, 1000000000) AS second_nanos
       SELECT concat(toString(partition), '/', topic), intDiv(nanos - second_nanos, 1000000000), second_nanos, ${content}
       FROM ${table} PREWHERE ${where}
       ORDER BY topic, partition, offset FORMAT JSONCompactEachRow`,
      { ...options, params: { ...params, from: fromNanos } },
    );
  }
}

function columnsOf(
  { selections, correlation }: UserRule,
  { hasOthers, mayRepeat }: { readonly hasOthers: boolean; readonly mayRepeat: boolean },
): string[] {
  const fields = [
    ...selections.flatMap(({ expression }) => fieldsOf(expression)),
    ...correlation.groupBy.flat(),
    ...(correlation.valueField === undefined ? [] : [correlation.valueField]),
  ];
  const always = [...ALWAYS, ...(mayRepeat ? OF_REPEATS : []), ...(hasOthers ? OF_OTHERS : [])];
  return [...new Set([...always, ...fields.flatMap(({ column }) => column ?? [])])];
}
