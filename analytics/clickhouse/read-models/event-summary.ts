import type { ClickHouse } from '../client.ts';
import { eventsTable } from '../tables/events.ts';
import { type Buckets, bucketOf, bucketStarts, DASHBOARD_SETTINGS, within } from './buckets.ts';
import { countCrashes } from './crash-counts.ts';
import { eventConditions } from './events.ts';
import { type Condition, type Filters, mergeParams } from './filters.ts';

/** Number of events by value, most frequent first. */
export type CountedEvents<Name extends string> = readonly ({ readonly [N in Name]: string | null } & {
  readonly events: number;
})[];

export interface EventSummary {
  readonly events: number;
  /** Number of crashes among them. Null unless the events are those of one detection, which limits their number. */
  readonly crashes: number | null;
  readonly series: readonly { readonly atMs: number; readonly byType: Readonly<Record<string, number>> }[];
  readonly types: CountedEvents<'type'>;
  /** The 50 hosts with the most events. */
  readonly hosts: CountedEvents<'hostname'>;
  readonly programs: CountedEvents<'procname'>;
  readonly files: CountedEvents<'file'>;
}

const MAX_VALUES = 50;
const NOTHING = { sql: 'false', params: {} };

/** Counts events of the time range, over time and by their properties. Ignores `from` and `to` of the filters. */
export async function summariseEvents(
  clickhouse: ClickHouse,
  buckets: Buckets,
  { from: _, to: __, ...filters }: Filters,
): Promise<EventSummary> {
  const chosen = (await eventConditions(clickhouse, filters)) ?? [NOTHING];
  const conditions = [within('timestamp', buckets), ...chosen];
  const where = conditions.map(({ sql }) => sql).join(' AND ');
  const params = mergeParams(...conditions.map((condition) => condition.params));
  const settings = DASHBOARD_SETTINGS;
  const from = clickhouse.table(eventsTable.name);

  const by = async <Name extends string>(name: Name): Promise<CountedEvents<Name>> => {
    const rows = await clickhouse.rows<{ name: string | null; found: string }>(
      `count events by ${name}`,
      `SELECT ${name} AS name, count() AS found FROM ${from} WHERE ${where} GROUP BY name ORDER BY found DESC, name LIMIT {most:UInt64}`,
      { params: mergeParams(params, { most: MAX_VALUES }), settings },
    );
    return rows.map((row) => ({ [name]: row.name, events: Number(row.found) })) as never;
  };
  const overTime = clickhouse.rows<{ at: string; kind: string; found: string }>(
    'count events over time',
    `SELECT ${bucketOf('timestamp')} AS at, type AS kind, count() AS found FROM ${from} WHERE ${where} GROUP BY at, kind`,
    { params, settings },
  );
  const crashesOf = filters.detection === undefined ? null : crashesAmong(clickhouse, conditions);
  const [rows, types, hosts, programs, files, crashes] = await Promise.all([
    overTime,
    by('type'),
    by('hostname'),
    by('procname'),
    by('file'),
    crashesOf,
  ]);
  const series = new Map<number, Record<string, number>>(bucketStarts(buckets).map((atMs) => [atMs, {}]));
  for (const { at, kind, found } of rows) {
    const bucket = series.get(Number(at));
    if (bucket !== undefined) bucket[kind] = Number(found);
  }
  return {
    events: rows.reduce((sum, { found }) => sum + Number(found), 0),
    crashes,
    series: [...series].map(([atMs, byType]) => ({ atMs, byType })),
    types,
    hosts,
    programs,
    files,
  };
}

async function crashesAmong(clickhouse: ClickHouse, conditions: readonly Condition[]): Promise<number> {
  const counts = await countCrashes(clickhouse, `['']`, conditions);
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
