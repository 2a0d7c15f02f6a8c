import { describeRisk } from '#analytics/detections/risk/score.ts';
import type { Detection } from '#schemas/detection.ts';
import { parseExact } from '#schemas/json/parse-exact.ts';
import { absentMembers } from '#schemas/stored-detection.ts';
import type { ClickHouse } from '../client.ts';
import { insertRows } from '../insert-rows.ts';
import { searchCondition } from '../search/search-condition.ts';
import { detectionRecordsTable } from '../tables/detection-records.ts';
import { detectionTriageTable } from '../tables/detection-triage.ts';
import { campaignOf } from './campaign-of.ts';
import { type DetectionOrder, detectionOrdering } from './detection-order.ts';
import {
  type Condition,
  compares,
  conditionsOf,
  equals,
  equalsOrNull,
  excludes,
  type FilterConditions,
  type Filters,
  withExclusions,
} from './filters.ts';
import type { Page, PageRequest } from './list-definition.ts';
import { createListing } from './listing.ts';

/** Fields that analysts decide. They are not stored in the table of detections. */
type Decided = Pick<Detection, 'status' | 'verdict' | 'assignee' | 'note' | 'exception'>;
type Recorded = Omit<Detection, keyof Decided | 'event' | 'risk'> & {
  readonly event: string | null;
  readonly riskScore?: number | null;
};
/** A row of the view: the JSON text of the recorded detection, and the decisions since. */
type DetectionRow = Decided & { readonly object: string };

const COLUMNS = 'object, status, verdict, assignee, note, exception';

function toDetection({ object, status, verdict, assignee, note, exception }: DetectionRow): Detection {
  const { event, riskScore = null, ...recorded } = JSON.parse(object) as Recorded;
  return {
    // Spread twice: the first keeps the order of the members, the second their recorded values.
    ...recorded,
    ...absentMembers(),
    ...recorded,
    risk: riskScore === null ? null : describeRisk(riskScore),
    status,
    verdict,
    assignee,
    note,
    exception,
    event: event === null ? null : (parseExact(event) as Detection['event']),
  };
}

const decided = (condition: Condition): Condition => ({ ...condition, decided: true });

const FILTERS = {
  from: compares('lastSeen', '>=', 'from'),
  to: compares('lastSeen', '<', 'to'),
  ...withExclusions({
    procname: equals('procname', 'procname'),
    file: equals('file', 'file'),
    register: equals('register', 'register'),
    executable: equals('executable', 'executable'),
    parent: equals('parent', 'parent'),
    unit: equals('unit', 'unit'),
    container: equals('container', 'container'),
    pod: equals('pod', 'pod'),
    rule: equals('rule.id', 'rule'),
    severity: equals('severity', 'severity'),
    status: (value) => decided(equals('status', 'status')(value)),
    verdict: (value) => decided(equalsOrNull('verdict', 'verdict')(value)),
    assignee: (value) => decided(equalsOrNull('assignee', 'assignee')(value)),
  }),
  hostname: (name) => ({
    sql: '(hostname IN {hostname:Array(String)} OR hasAny(hosts, {hostname:Array(String)}))',
    params: { hostname: [name].flat() },
  }),
  // A campaign reached other hosts as well, so it is not excluded.
  'exclude.hostname': excludes(equals('hostname', 'hostname')),
  detection: equals('id', 'detection'),
  q: (text) => decided(searchCondition('detections', String(text))),
} satisfies FilterConditions;

/** Filters of the list. */
function filtersOf(clickhouse: ClickHouse): FilterConditions {
  const campaign = equalsOrNull(`nullIf(${campaignOf(clickhouse)}, '')`, 'campaign');
  return { ...FILTERS, ...withExclusions({ campaign }) };
}

/** Conditions on the view `detections`. */
export function detectionConditions(clickhouse: ClickHouse, filters: Filters): Condition[] {
  return conditionsOf(filtersOf(clickhouse), filters);
}

function detections(clickhouse: ClickHouse, order: DetectionOrder, cursor?: string) {
  return createListing<DetectionRow, Detection>(clickhouse, {
    name: 'detections',
    table: 'detections',
    columns: COLUMNS,
    ...detectionOrdering(clickhouse, order, cursor),
    filters: filtersOf(clickhouse),
    pick: {
      by: 'id',
      from: (where) =>
        where.some((condition) => condition.decided)
          ? clickhouse.table('detections')
          : `${clickhouse.table(detectionRecordsTable.name)} FINAL`,
    },
    toItem: toDetection,
  });
}

/**
 * Returns one page of detections in their latest revision. Rejects with `CursorError` for a cursor of another order.
 */
export async function listDetections(
  clickhouse: ClickHouse,
  filters: Filters,
  page: PageRequest & DetectionOrder,
  also: readonly Condition[] = [],
): Promise<Page<Detection>> {
  return detections(clickhouse, page, page.cursor).page(filters, page, also);
}

/** Yields all detections that match the filters, in batches. */
export function streamDetections(
  clickhouse: ClickHouse,
  filters: Filters,
  signal?: AbortSignal,
  order: DetectionOrder = {},
): AsyncIterable<Detection[]> {
  return detections(clickhouse, order).stream(filters, [], signal);
}

/** Returns a detection in its latest revision, or undefined. */
export async function getDetection(clickhouse: ClickHouse, id: string): Promise<Detection | undefined> {
  const [row] = await clickhouse.rows<DetectionRow>(
    'get a detection',
    `SELECT ${COLUMNS} FROM ${clickhouse.table('detections')} WHERE id = {id:String}`,
    { params: { id } },
  );
  return row && toDetection(row);
}

/** Returns detections in their latest revision, in no order. Omits unknown ids. */
export async function getDetections(clickhouse: ClickHouse, ids: readonly string[]): Promise<Detection[]> {
  if (ids.length === 0) return [];
  const rows = await clickhouse.rows<DetectionRow>(
    'get detections',
    `SELECT ${COLUMNS} FROM ${clickhouse.table('detections')} WHERE id IN {ids:Array(String)}`,
    { params: { ids } },
  );
  return rows.map(toDetection);
}

/** The fields that analysts decide. */
export type Triage = Pick<Detection, 'status' | 'verdict' | 'assignee' | 'note'>;

/**
 * Stores complete decisions. For several decisions about one detection, the latest time wins, whatever order they
 * arrive in.
 */
export function saveTriages(
  clickhouse: ClickHouse,
  triages: readonly (Triage & { readonly id: string; readonly changedMs: number })[],
): Promise<void> {
  return insertRows(clickhouse, detectionTriageTable, triages);
}

/** Stores one decision; see `saveTriages`. */
export function saveTriage(clickhouse: ClickHouse, id: string, triage: Triage, changedMs: number): Promise<void> {
  return saveTriages(clickhouse, [{ id, changedMs, ...triage }]);
}
