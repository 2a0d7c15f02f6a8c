import type { CountedGroups } from '#analytics/detections/user-rules/prefilter.ts';
import type { ClickHouse, QueryOptions } from '../client.ts';

/** Counters of the first pass. A power of two; 2^21 counters take 64 MiB, where an exact count may have tens of millions of groups. */
const COUNTERS = 2 ** 21;
/** Counters and slices that a query names at most. */
const MAX_NAMED = 100_000;

/** SQL of the number of changed settings, of which a back-test reads the text, and of all events that are no crashes. */
export const MISMATCHES = `countIf(type = 'ConfigMismatch')`;
export const OTHERS = `countIf(type NOT IN ('LinuxKernelTrap', 'LinuxFatalSignal'))`;

/** In which groups and time slices a rule that counts can fire. */
export interface FiringSlices {
  /** SQL that holds for their events. */
  readonly where: string;
  /** How many events match in them, and how many of these are changed settings, or are no crashes. */
  readonly found: number;
  readonly mismatches: number;
  readonly others: number;
  /** Whether two events of a group have the same time: only then can one be a repeat of the other. */
  readonly mayRepeat: boolean;
}

const NOWHERE: FiringSlices = { where: '0', found: 0, mismatches: 0, others: 0, mayRepeat: false };

interface Source {
  readonly table: string;
  /** SQL of the events that match. */
  readonly matching: string;
  readonly options: QueryOptions;
}

/**
 * Finds the slices in which a rule can fire, in two passes over the events that match. Of two neighbouring slices with enough evidence, one has half of
 * it. So the first pass counts events in a fixed number of counters, which groups share by chance, and the second counts exactly in the groups whose
 * counter reached half, or the counter of a neighbouring slice. Undefined when the rule can fire in too many slices to name.
 */
export async function findFiringSlices(
  clickhouse: ClickHouse,
  groups: CountedGroups,
  source: Source,
): Promise<FiringSlices | undefined> {
  const { group, slice, found, need } = groups;
  const { table, matching, options } = source;
  const counter = `toUInt32(bitAnd(${group} + ${slice}, ${COUNTERS - 1}))`;
  const reached = await clickhouse.rows<{ counter: number }>(
    'count roughly for a back-test',
    `SELECT ${counter} AS counter FROM ${table} WHERE ${matching} GROUP BY counter HAVING count() >= ${Math.ceil(need / 2)} LIMIT ${MAX_NAMED + 1}`,
    options,
  );
  if (reached.length > MAX_NAMED) return undefined;
  if (reached.length === 0) return NOWHERE;
  const neighbour = (which: string) =>
    `sum(found) OVER (PARTITION BY group_hash ORDER BY slice RANGE BETWEEN ${which} AND ${which})`;
  // PREWHERE: otherwise the server computes the counter of all events, not only of those that match.
  const slices = await clickhouse.rows<{
    key: string;
    events: string;
    mismatches: string;
    others: string;
    times: string;
  }>(
    'count exactly for a back-test',
    `SELECT ${keyOf('group_hash', 'slice')} AS key, events, mismatches, others, times FROM (
       SELECT group_hash, slice, events, mismatches, others, times, found, ${neighbour('1 PRECEDING')} AS before, ${neighbour('1 FOLLOWING')} AS after FROM (
         SELECT ${group} AS group_hash, ${slice} AS slice, count() AS events, ${MISMATCHES} AS mismatches, ${OTHERS} AS others, uniqExact(timestamp) AS times, ${found} AS found FROM ${table}
         PREWHERE ${matching} WHERE ${counter} IN (${withNeighbours(reached.map((one) => one.counter)).join(',')}) GROUP BY group_hash, slice))
     WHERE found + greatest(before, after) >= ${need} LIMIT ${MAX_NAMED + 1}`,
    options,
  );
  if (slices.length > MAX_NAMED) return undefined;
  if (slices.length === 0) return NOWHERE;
  return {
    where: `${keyOf(group, slice)} IN (${slices.map(({ key }) => key).join(',')})`,
    found: slices.reduce((sum, { events }) => sum + Number(events), 0),
    mismatches: slices.reduce((sum, { mismatches }) => sum + Number(mismatches), 0),
    others: slices.reduce((sum, { others }) => sum + Number(others), 0),
    mayRepeat: slices.some(({ events, times }) => events !== times),
  };
}

/**
 * SQL of one number for a group and a time slice: a hash and a multiple of 2^64 divided by the golden ratio. Every event that matches is compared by it, and
 * a hash of both costs a third of the pass. Two with the same number only leave more events to the rule.
 */
function keyOf(group: string, slice: string): string {
  return `(${group} + ${slice} * 11400714819323198485)`;
}

/** The counters and those of the slices before and after. */
function withNeighbours(counters: readonly number[]): number[] {
  const all = counters.flatMap((counter) => [counter - 1, counter, counter + 1]);
  return [...new Set(all.map((counter) => (counter + COUNTERS) % COUNTERS))];
}
