import type { CountedGroups } from '#analytics/detections/user-rules/prefilter.ts';
import type { ClickHouse, QueryOptions } from '../client.ts';

/** Counters of the first pass. A power of two; 2^21 counters take 64 MiB, where an exact count may have tens of millions of groups. */
const COUNTERS = 2 ** 21;
/** Counters and parts that a query names at most. */
const MAX_NAMED = 100_000;
/** Values of a column of the groups by which events are left out at most. */
const MAX_VALUES = 1_000;

/** SQL of the number of changed settings, of which a back-test reads the text, and of all events that are no crashes. */
export const MISMATCHES = `countIf(type = 'ConfigMismatch')`;
export const OTHERS = `countIf(type NOT IN ('LinuxKernelTrap', 'LinuxFatalSignal'))`;

/** In which groups and parts of time slices a rule that counts can fire. */
export interface FiringSlices {
  /** SQL that holds for their events. */
  readonly where: string;
  /** The same for more events than these: computed for each value of a dictionary, where keys are computed for each event. */
  readonly values: string;
  /** How many events match in them, and how many of these are changed settings, or are no crashes. */
  readonly found: number;
  readonly mismatches: number;
  readonly others: number;
  /** Whether two events of a group have the same time: only then can one be a repeat of the other. */
  readonly mayRepeat: boolean;
}

const NOWHERE: FiringSlices = { where: '0', values: '1', found: 0, mismatches: 0, others: 0, mayRepeat: false };

interface Source {
  readonly table: string;
  /** SQL of the events that match. */
  readonly matching: string;
  readonly options: QueryOptions;
}

/**
 * Finds the parts of slices in which a rule can fire, in two passes over the events that match. Of two neighbouring slices with enough evidence, one has
 * half of it. So the first pass counts events in a fixed number of counters, which groups share by chance, and the second counts exactly in the groups
 * whose counter reached half, or the counter of a neighbouring slice. All evidence that fires lies in as many consecutive parts as a timespan touches:
 * parts outside of all such stretches with enough evidence are left out. Undefined when the rule can fire in too many parts to name.
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
  // A stretch that begins between two parts with events holds no more than the one that begins with the second.
  const over = (value: string, from: string, to: string) =>
    `${value} OVER (PARTITION BY group_hash ORDER BY part RANGE BETWEEN ${from} AND ${to})`;
  // PREWHERE: otherwise the server computes the counter of all events, not only of those that match.
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
 * SQL of one number for a group and a part: a hash and a multiple of 2^64 divided by the golden ratio. Every event that matches is compared by it, and
 * a hash of both costs a third of the pass. Two with the same number only leave more events to the rule.
 */
function keyOf(group: string, part: string): string {
  return `(${group} + ${part} * 11400714819323198485)`;
}

/** SQL of the hash that all events have; empty when two groups count together. */
function onlyOne(hash: string): string {
  return `if(min(${hash}) = max(${hash}), toString(min(${hash})), '')`;
}

function isOneOf(hash: string, values: ReadonlySet<string>): string {
  return values.size > MAX_VALUES || values.has('') ? '1' : `${hash} IN (${[...values].join(',')})`;
}

/** The counters and those of the slices before and after. */
function withNeighbours(counters: readonly number[]): number[] {
  const all = counters.flatMap((counter) => [counter - 1, counter, counter + 1]);
  return [...new Set(all.map((counter) => (counter + COUNTERS) % COUNTERS))];
}
