import { describeRisk, type Risk } from '#analytics/detections/risk/score.ts';
import type { ActivityCondition, ActivityFigure } from '#schemas/api/activity-figures.ts';
import type { ActivitySort } from '#schemas/api/activity-sort.ts';
import type { ClickHouse } from '../client.ts';
import { eventsTable } from '../tables/events.ts';
import { CRASH_COUNT_LIMITS, countCrashes, crashCounts } from './crash-counts.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { OPEN } from './detection-summary.ts';
import { type Condition, compares, equals, type Filters, mergeParams } from './filters.ts';
import type { Page, PageRequest } from './list-definition.ts';
import { QUERY_LIMITS } from './list-query.ts';
import { MAX_PAGE } from './listing.ts';
import { NORMALISED_HUNDREDTHS, type RiskInstant, riskScores } from './risk-scores.ts';

/** Figures about a host, or about a program on a host. Times are event times, RFC 3339 in UTC. */
export interface Activity {
  readonly hostname: string | null;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly events: number;
  /** A trap line and the dump of the same crash count once; see `schemas/crash.ts`. */
  readonly crashes: number;
  readonly detections: number;
  /** Neither closed nor silenced by an exception. */
  readonly openDetections: number;
  /** Risk at the end of the time range, or now. */
  readonly risk: Risk;
}
export interface HostActivity extends Activity {
  /** Number of programs that crashed on the host. */
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
  /** Names of the group, as formatted by `nameKey`. */
  readonly group: readonly string[];
  /** Sort key before the names. */
  readonly place: readonly string[];
}

export interface ActivityRequest extends PageRequest {
  readonly sort?: ActivitySort;
  /** Conditions that a group must all meet. */
  readonly figures?: readonly ActivityCondition[];
}

/** `q`: substring of the host name, case-insensitive. */
export type ActivityFilters = Pick<Filters, 'from' | 'to' | 'hostname' | 'procname' | 'q'>;

/** Sort key of a name. Null sorts before every name. */
const nameKey = (column: string): string => `ifNull(concat('=', ${column}), '')`;
const conditionsOf = ({ from, to, hostname, procname, q }: ActivityFilters): Condition[] => [
  ...(from === undefined ? [] : [compares('timestamp', '>=', 'from')(from)]),
  ...(to === undefined ? [] : [compares('timestamp', '<', 'to')(to)]),
  ...(hostname === undefined ? [] : [equals('hostname', 'hostname')(hostname)]),
  ...(procname === undefined ? [] : [equals('procname', 'procname')(procname)]),
  ...(q === undefined ? [] : [{ sql: 'positionCaseInsensitiveUTF8(hostname, {q:String}) > 0', params: { q } }]),
];

/** Lists hosts that sent events. */
export async function listHosts(
  clickhouse: ClickHouse,
  filters: Omit<ActivityFilters, 'procname'>,
  request: ActivityRequest,
): Promise<Page<HostActivity>> {
  const found = await activity(clickhouse, ['hostname'], filters, conditionsOf(filters), request);
  const { rows, crashes, nextCursor } = found;
  const counted = await detectionsOf(clickhouse, ['hostname'], found);
  const items = rows.map((row) => ({ ...common(row, crashes), programs: Number(row.counts[1]), ...counted(row) }));
  return { items, ...(nextCursor === undefined ? {} : { nextCursor }) };
}

/** Lists programs by host, from their events. */
export async function listProcesses(
  clickhouse: ClickHouse,
  filters: ActivityFilters,
  request: ActivityRequest,
): Promise<Page<ProcessActivity>> {
  const named = [{ sql: 'procname IS NOT NULL', params: {} }, ...conditionsOf(filters)];
  const found = await activity(clickhouse, ['hostname', 'procname'], filters, named, request);
  const { rows, crashes, nextCursor } = found;
  const counted = await detectionsOf(clickhouse, ['hostname', 'procname'], found);
  const items = rows.map((row) => ({ ...common(row, crashes), procname: row.procname ?? '', ...counted(row) }));
  return { items, ...(nextCursor === undefined ? {} : { nextCursor }) };
}

function common({ hostname, firstSeen, lastSeen, counts: [events], group }: Row, crashes: ReadonlyMap<string, number>) {
  return { hostname, firstSeen, lastSeen, events: Number(events), crashes: crashes.get(groupOf(group)) ?? 0 };
}

/** Map key of a group. */
const groupOf = (group: readonly string[]): string => JSON.stringify(group);

type Name = 'hostname' | 'procname';

const keyOf = (names: readonly Name[]): string => `[${names.map(nameKey).join(', ')}]`;

/** Condition that selects the events of the hosts on a page. */
const onHosts = (page: readonly Row[]): Condition => ({
  sql: `${nameKey('hostname')} IN {hosts:Array(String)}`,
  params: { hosts: [...new Set(page.map(({ group }) => group[0] ?? ''))] },
});

interface Groups {
  readonly rows: readonly Row[];
  readonly crashes: ReadonlyMap<string, number>;
  readonly instant: RiskInstant;
  readonly nextCursor: string | undefined;
}

/**
 * Returns one page of groups. New events move a group to the front, so all pages of a walk use only events received
 * before it began. The cursor contains that time. A walk by risk computes all scores for that time from the current
 * detections.
 */
async function activity(
  clickhouse: ClickHouse,
  names: readonly Name[],
  { to }: ActivityFilters,
  where: readonly Condition[],
  { limit, cursor, sort = 'lastSeen', figures = [] }: ActivityRequest,
): Promise<Groups> {
  const wanted = Math.min(Math.max(limit, 1), MAX_PAGE);
  const order = ORDERS[sort];
  const [began = '', ...after] =
    cursor === undefined
      ? [String(Date.now())]
      : decodeCursor(cursor, [/^\d{1,15}$/, ...order.map(() => /^-?\d{1,19}$/), ...names.map(() => /^.{0,5000}$/s)]);
  const instant =
    to === undefined
      ? { at: Math.floor(Number(began) / 1_000), includesLater: true }
      : { at: to.seconds, includesLater: false };
  const keys = [...order, ...names.map((_, i) => `group[${i + 1}]`)];
  const places = keys.map((_, i) => `{after_${i}:${i < order.length ? 'Int64' : 'String'}}`);
  const counted = [{ sql: `received <= fromUnixTimestamp64Milli({began:Int64}, 'UTC')`, params: { began } }, ...where];
  const joined = joinsOf(clickhouse, keyOf(names), [sort, ...figures.map(({ figure }) => figure)], counted, instant);
  const chosen = [
    ...(after.length === 0 ? [] : [`(${keys.join(', ')}) < (${places.join(', ')})`]),
    ...figures.map(({ figure, sign }, i) => `${FIGURES[figure]} ${sign} {figure_${i}:Int64}`),
  ];
  const rows = await clickhouse.rows<Row>(
    `list by ${names.join(' and ')}`,
    `SELECT ${names.join(', ')}, firstSeen, lastSeen, counts, group, [${order.map((key) => `toString(${key})`).join(', ')}] AS place
     FROM (
       SELECT ${names.join(', ')}, min(timestamp) AS firstSeen, max(timestamp) AS lastSeen,
         [count(), uniq(procname)] AS counts, ${keyOf(names)} AS group
       FROM ${clickhouse.table(eventsTable.name)} WHERE ${counted.map(({ sql }) => sql).join(' AND ')} GROUP BY ${names.join(', ')}
     ) AS found ${joined.map(({ sql }) => `LEFT JOIN ${sql}`).join(' ')}
     ${chosen.length === 0 ? '' : `WHERE ${chosen.join(' AND ')}`}
     ORDER BY ${keys.map((key) => `${key} DESC`).join(', ')} LIMIT {limit:UInt64}`,
    {
      params: mergeParams(
        { limit: wanted + 1 },
        Object.fromEntries(after.map((value, i) => [`after_${i}`, value])),
        Object.fromEntries(figures.map((one, i) => [`figure_${i}`, storedFigure(one)])),
        ...counted.map(({ params }) => params),
        ...joined.map(({ params }) => params),
      ),
      settings: CRASH_COUNT_LIMITS,
    },
  );
  const page = rows.slice(0, wanted);
  const last = page.at(-1);
  const more = rows.length > wanted && last !== undefined;
  const crashes =
    page.length === 0 ? new Map() : await countCrashes(clickhouse, keyOf(names), [...counted, onHosts(page)]);
  const nextCursor = more ? encodeCursor([began, ...last.place, ...last.group]) : undefined;
  return { rows: page, crashes, instant, nextCursor };
}

/** Sort keys of the lists before the names, as integers. */
const ORDERS: Readonly<Record<ActivitySort, readonly string[]>> = {
  lastSeen: ['toUnixTimestamp64Nano(lastSeen)'],
  risk: ['toInt64(round(risks.score * 100))', 'toUnixTimestamp64Nano(lastSeen)'],
};

/** SQL of the figures of a group in the statement of `activity`, as integers. */
const FIGURES: Readonly<Record<ActivityFigure, string>> = {
  events: 'counts[1]',
  programs: 'counts[2]',
  crashes: 'crash_counts.crashes',
  detections: 'detection_counts.detections',
  openDetections: 'detection_counts.open',
  risk: `toInt64(${NORMALISED_HUNDREDTHS('risks.score')})`,
};

function storedFigure({ figure, value }: ActivityCondition): number {
  return figure === 'risk' ? Math.round(value * 100) : value;
}

/** Returns the `LEFT JOIN` clauses that sorting and filtering need. */
function joinsOf(
  clickhouse: ClickHouse,
  key: string,
  by: readonly (ActivitySort | ActivityFigure)[],
  events: readonly Condition[],
  instant: RiskInstant,
): readonly Condition[] {
  const needed = (...names: readonly string[]) => by.some((name) => names.includes(name));
  const joined = ({ sql, params }: Condition, as: string): Condition => ({
    sql: `(${sql}) AS ${as} ON ${as}.key = found.group`,
    params,
  });
  return [
    ...(needed('risk') ? [joined(riskScores(clickhouse, key, instant), 'risks')] : []),
    ...(needed('crashes') ? [joined(crashCounts(clickhouse, key, events), 'crash_counts')] : []),
    ...(needed('detections', 'openDetections')
      ? [joined({ sql: detectionCounts(clickhouse, key), params: {} }, 'detection_counts')]
      : []),
  ];
}

/** Returns SQL that counts all detections and the open ones by key. `where`: condition on detections. */
function detectionCounts(clickhouse: ClickHouse, key: string, where = 'true'): string {
  return `SELECT ${key} AS key, count() AS detections, countIf(${OPEN}) AS open
    FROM ${clickhouse.table('detections')} WHERE ${where} GROUP BY key`;
}

/** Returns the current detections of these groups and the risk that follows from them. */
async function detectionsOf(clickhouse: ClickHouse, names: readonly Name[], { rows: page, instant }: Groups) {
  const found = new Map<string, { detections: number; openDetections: number; risk: Risk }>();
  if (page.length > 0) {
    const hosts = onHosts(page);
    const risk = riskScores(clickhouse, keyOf(names), instant, [hosts]);
    const rows = await clickhouse.rows<{ key: string[]; detections: string; open: string; score: number }>(
      `count detections by ${names.join(' and ')}`,
      `SELECT key, detections, open, score FROM (${detectionCounts(clickhouse, keyOf(names), hosts.sql)}) AS counted LEFT JOIN (${risk.sql}) AS risks ON risks.key = counted.key`,
      { params: risk.params, settings: QUERY_LIMITS },
    );
    for (const { key, detections, open, score } of rows)
      found.set(groupOf(key), {
        detections: Number(detections),
        openDetections: Number(open),
        risk: describeRisk(score),
      });
  }
  return ({ group }: Row) => found.get(groupOf(group)) ?? { detections: 0, openDetections: 0, risk: describeRisk(0) };
}
