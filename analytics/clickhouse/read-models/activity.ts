import type { ClickHouse } from '../client.ts';
import { eventsTable } from '../tables/events.ts';
import { countCrashes } from './crash-counts.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { OPEN } from './detection-summary.ts';
import { type Condition, compares, equals, type Filters, mergeParams } from './filters.ts';
import { MAX_PAGE, type Page, type PageRequest, QUERY_LIMITS } from './listing.ts';

/** What came of a host, or of a program on a host. Times RFC 3339 in UTC, of the events. */
export interface Activity {
  readonly hostname: string | null;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly events: number;
  /** See `schemas/crash.ts`: a trap line and the dump of the same crash count once. */
  readonly crashes: number;
  readonly detections: number;
  /** Neither closed nor silenced by an exception. */
  readonly openDetections: number;
}
export interface HostActivity extends Activity {
  /** Programs that crashed there. */
  readonly programs: number;
}
export interface ProcessActivity extends Activity {
  readonly procname: string;
}

interface Row {
  readonly hostname: string | null;
  readonly procname: string | null;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly counts: readonly [events: string, programs: string];
  readonly key: readonly string[];
}

/** `q`: text anywhere in the name of the host, whatever its case. */
export type ActivityFilters = Pick<Filters, 'from' | 'to' | 'hostname' | 'procname' | 'q'>;

/** Null sorts before every name. */
const nameKey = (column: string): string => `ifNull(concat('=', ${column}), '')`;
const conditionsOf = ({ from, to, hostname, procname, q }: ActivityFilters): Condition[] => [
  ...(from === undefined ? [] : [compares('timestamp', '>=', 'from')(from)]),
  ...(to === undefined ? [] : [compares('timestamp', '<', 'to')(to)]),
  ...(hostname === undefined ? [] : [equals('hostname', 'hostname')(hostname)]),
  ...(procname === undefined ? [] : [equals('procname', 'procname')(procname)]),
  ...(q === undefined ? [] : [{ sql: 'positionCaseInsensitiveUTF8(hostname, {q:String}) > 0', params: { q } }]),
];

/** Hosts that sent events, the last seen first. */
export async function listHosts(
  clickhouse: ClickHouse,
  filters: Omit<ActivityFilters, 'procname'>,
  request: PageRequest,
): Promise<Page<HostActivity>> {
  const { rows, crashes, nextCursor } = await activity(clickhouse, ['hostname'], conditionsOf(filters), request);
  const counted = await detectionsOf(clickhouse, ['hostname'], rows);
  const items = rows.map((row) => ({ ...common(row, crashes), programs: Number(row.counts[1]), ...counted(row) }));
  return { items, ...(nextCursor === undefined ? {} : { nextCursor }) };
}

/** Programs by host that events name, the last seen first. */
export async function listProcesses(
  clickhouse: ClickHouse,
  filters: ActivityFilters,
  request: PageRequest,
): Promise<Page<ProcessActivity>> {
  const named = [{ sql: 'procname IS NOT NULL', params: {} }, ...conditionsOf(filters)];
  const { rows, crashes, nextCursor } = await activity(clickhouse, ['hostname', 'procname'], named, request);
  const counted = await detectionsOf(clickhouse, ['hostname', 'procname'], rows);
  const items = rows.map((row) => ({ ...common(row, crashes), procname: row.procname ?? '', ...counted(row) }));
  return { items, ...(nextCursor === undefined ? {} : { nextCursor }) };
}

function common({ hostname, firstSeen, lastSeen, counts: [events], key }: Row, crashes: ReadonlyMap<string, number>) {
  return { hostname, firstSeen, lastSeen, events: Number(events), crashes: crashes.get(groupOf(key)) ?? 0 };
}

/** The group of a row: its key without the time it is sorted by. */
const groupOf = (key: readonly string[]): string => JSON.stringify(key.slice(1));

type Name = 'hostname' | 'procname';

const keyOf = (names: readonly Name[]): string => `[${names.map(nameKey).join(', ')}]`;

/** Rows of the hosts of a page. */
const onHosts = (page: readonly Row[]): Condition => ({
  sql: `${nameKey('hostname')} IN {hosts:Array(String)}`,
  params: { hosts: [...new Set(page.map(({ key }) => key[1] ?? ''))] },
});

/**
 * One page of groups. What comes in moves a group to the front, so a walk through the pages looks at events that had been received when it
 * began, and nothing else: the cursor says when that was.
 */
async function activity(
  clickhouse: ClickHouse,
  names: readonly Name[],
  where: readonly Condition[],
  { limit, cursor }: PageRequest,
): Promise<{
  readonly rows: readonly Row[];
  readonly crashes: ReadonlyMap<string, number>;
  readonly nextCursor: string | undefined;
}> {
  const wanted = Math.min(Math.max(limit, 1), MAX_PAGE);
  const [began, ...after] =
    cursor === undefined
      ? [String(Date.now())]
      : decodeCursor(cursor, [/^\d{1,15}$/, /^-?\d{1,19}$/, ...names.map(() => /^.{0,5000}$/s)]);
  const keys = ['toUnixTimestamp64Nano(max(timestamp))', ...names.map(nameKey)];
  const places = ['{after_0:Int64}', ...names.map((_, i) => `{after_${i + 1}:String}`)];
  const counted = [{ sql: `received <= fromUnixTimestamp64Milli({began:Int64}, 'UTC')`, params: { began } }, ...where];
  const rows = await clickhouse.rows<Row>(
    `list by ${names.join(' and ')}`,
    `SELECT ${names.join(', ')}, min(timestamp) AS firstSeen, max(timestamp) AS lastSeen,
       [count(), uniq(procname)] AS counts,
       [${keys.map((key) => `toString(${key})`).join(', ')}] AS key
     FROM ${clickhouse.table(eventsTable.name)} WHERE ${counted.map(({ sql }) => sql).join(' AND ')} GROUP BY ${names.join(', ')}
     ${after.length === 0 ? '' : `HAVING (${keys.join(', ')}) < (${places.join(', ')})`}
     ORDER BY ${keys.map((key) => `${key} DESC`).join(', ')} LIMIT {limit:UInt64}`,
    {
      params: mergeParams(
        { limit: wanted + 1 },
        Object.fromEntries(after.map((value, i) => [`after_${i}`, value])),
        ...counted.map(({ params }) => params),
      ),
      settings: QUERY_LIMITS,
    },
  );
  const page = rows.slice(0, wanted);
  const last = page.at(-1);
  const more = rows.length > wanted && last !== undefined;
  const crashes =
    page.length === 0 ? new Map() : await countCrashes(clickhouse, keyOf(names), [...counted, onHosts(page)]);
  return { rows: page, crashes, nextCursor: more ? encodeCursor([began as string, ...last.key]) : undefined };
}

/** Detections of these groups, as they are now. */
async function detectionsOf(clickhouse: ClickHouse, names: readonly Name[], page: readonly Row[]) {
  const found = new Map<string, { detections: number; openDetections: number }>();
  if (page.length > 0) {
    const hosts = onHosts(page);
    const rows = await clickhouse.rows<{ key: string[]; detections: string; open: string }>(
      `count detections by ${names.join(' and ')}`,
      `SELECT ${keyOf(names)} AS key, count() AS detections, countIf(${OPEN}) AS open
       FROM ${clickhouse.table('detections')} WHERE ${hosts.sql} GROUP BY key`,
      { params: hosts.params, settings: QUERY_LIMITS },
    );
    for (const { key, detections, open } of rows)
      found.set(JSON.stringify(key), { detections: Number(detections), openDetections: Number(open) });
  }
  return ({ key }: Row) => found.get(groupOf(key)) ?? { detections: 0, openDetections: 0 };
}
