import type { CountedGroups } from '#analytics/detections/user-rules/prefilter.ts';
import type { ClickHouse, QueryOptions } from '../client.ts';

/**
 * Number of counters in the first pass, a power of two. 2^21 counters take 64 MiB. An exact count may have tens of
 * millions of groups.
 */
const COUNTERS = 2 ** 21;
/** Maximum number of counters and parts that a query can list. */
const MAX_NAMED = 100_000;
/** Maximum number of values by which a group column is filtered. */
const MAX_VALUES = 1_000;

/** SQL that counts changed settings, whose JSON a back-test reads, and events that are no crashes. */
export const MISMATCHES = `countIf(type = 'ConfigMismatch')`;
export const OTHERS = `countIf(type NOT IN ('LinuxKernelTrap', 'LinuxFatalSignal'))`;

/** The groups and parts of time slices in which a counting rule can fire. */
export interface FiringSlices {
  /** SQL condition that selects their events. */
  readonly where: string;
  /**
   * SQL condition that selects these and some other events. It is evaluated once per dictionary value, whereas the keys
   * of `where` are computed for each event.
   */
  readonly values: string;
  /** Number of matching events in them, and how many of these are changed settings or no crashes. */
  readonly found: number;
  readonly mismatches: number;
  readonly others: number;
  /** True if two events of a group have the same time. Only then can one be a repeat of the other. */
  readonly mayRepeat: boolean;
}

const NOWHERE: FiringSlices = { where: '0', values: '1', found: 0, mismatches: 0, others: 0, mayRepeat: false };

interface Source {
  readonly table: string;
  /** SQL condition that selects matching events. */
  readonly matching: string;
  readonly options: QueryOptions;
}

/**
 * Finds the parts of slices in which a rule can fire, in two passes over the matching events. If two adjacent slices
 * contain enough evidence, one of them contains at least half of it. The first pass uses a fixed number of counters,
 * which groups may share. The second pass counts exactly in the groups whose counter, or that of an adjacent slice,
 * reached half. All evidence of one firing lies in the consecutive parts that a timespan touches, so parts outside all
 * such ranges with enough evidence are skipped. Returns undefined if the rule can fire in too many parts to list.
 */
export async function findFiringSlices(
  clickhouse: ClickHouse,
  groups: CountedGroups,
  source: Source,
): Promise<FiringSlices | undefined> {
  const { hashes, group, slice, part, parts, found, need } = groups;
  const { table, matching, options } = source;
  const counter = `toUInt32(bitAnd(${group} + ${slice}, ${COUNTERS - 1}))`;
  const reached = await clickhouse.rows<{ counter: number }>(
    'count roughly for a back-test',
    `SELECT ${counter} AS counter FROM ${table} WHERE ${matching} GROUP BY counter HAVING count() >= ${Math.ceil(need / 2)} LIMIT ${MAX_NAMED + 1}`,
    options,
  );
  if (reached.length > MAX_NAMED) return undefined;
  if (reached.length === 0) return NOWHERE;
  // A range that starts between two parts with events contains no more than the range that starts at the second part.
  const over = (value: string, from: string, to: string) =>
    `${value} OVER (PARTITION BY group_hash ORDER BY part RANGE BETWEEN ${from} AND ${to})`;
  // With PREWHERE, the server computes the counter only for matching events.
  const slices = await clickhouse.rows<{
    key: string;
    events: string;
    mismatches: string;
    others: string;
    times: string;
    hashes: string[];
  }>(
    'count exactly for a back-test',
    `SELECT ${keyOf('group_hash', 'part')} AS key, events, mismatches, others, times, hashes FROM (
       SELECT *, ${over('max(stretch)', `${parts} PRECEDING`, 'CURRENT ROW')} AS best FROM (
         SELECT *, ${over('sum(found)', 'CURRENT ROW', `${parts} FOLLOWING`)} AS stretch FROM (
           SELECT ${group} AS group_hash, ${part} AS part, count() AS events, ${MISMATCHES} AS mismatches, ${OTHERS} AS others, uniqExact(timestamp) AS times, ${found} AS found, [${hashes.map(onlyOne).join(', ')}] AS hashes FROM ${table}
           PREWHERE ${matching} WHERE ${counter} IN (${withNeighbours(reached.map((one) => one.counter)).join(',')}) GROUP BY group_hash, part)))
     WHERE best >= ${need} LIMIT ${MAX_NAMED + 1}`,
    options,
  );
  if (slices.length > MAX_NAMED) return undefined;
  if (slices.length === 0) return NOWHERE;
  return {
    values: hashes.map((hash, i) => isOneOf(hash, new Set(slices.map((one) => one.hashes[i] as string)))).join(' AND '),
    where: `${keyOf(group, part)} IN (${slices.map(({ key }) => key).join(',')})`,
    found: slices.reduce((sum, { events }) => sum + Number(events), 0),
    mismatches: slices.reduce((sum, { mismatches }) => sum + Number(mismatches), 0),
    others: slices.reduce((sum, { others }) => sum + Number(others), 0),
    mayRepeat: slices.some(({ events, times }) => events !== times),
  };
}

/**
 * Returns SQL of one number per group and part: the group's hash plus a multiple of 2^64 divided by the golden ratio.
 * Every matching event is compared by this number, and a hash of both would cost a third of the pass. A collision only
 * leaves more events to judge.
 */
function keyOf(group: string, part: string): string {
  return `(${group} + ${part} * 11400714819323198485)`;
}

/** Returns SQL of the hash that all events share, or '' if two groups are counted together. */
function onlyOne(hash: string): string {
  return `if(min(${hash}) = max(${hash}), toString(min(${hash})), '')`;
}

function isOneOf(hash: string, values: ReadonlySet<string>): string {
  return values.size > MAX_VALUES || values.has('') ? '1' : `${hash} IN (${[...values].join(',')})`;
}

/** Returns the counters and those of the slices before and after. */
function withNeighbours(counters: readonly number[]): number[] {
  const all = counters.flatMap((counter) => [counter - 1, counter, counter + 1]);
  return [...new Set(all.map((counter) => (counter + COUNTERS) % COUNTERS))];
}
