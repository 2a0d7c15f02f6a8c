import { CRASH_PRINTER_NAMES } from '#analytics/detections/evidence/crash-printers.ts';
import { isRuleId, ruleById } from '#analytics/detections/rule-registry.ts';
import type { Detection } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import { parseTimestamp } from '#schemas/events/timestamp.ts';
import { parseRecordId, recordId } from '#schemas/record-id.ts';
import { compareInstants } from '../../detections/episode.ts';
import type { RuleEvents } from '../../detections/rule.ts';
import type { ClickHouse } from '../client.ts';
import { searchCondition } from '../search/search-condition.ts';
import { DETECTOR_TYPES, eventsTable } from '../tables/events.ts';
import { IS_CRASH_LINE, IS_KERNEL_FAULT } from './crash-counts.ts';
import { getDetection } from './detections.ts';
import { eventLine } from './event-line.ts';
import {
  type Condition,
  compares,
  conditionsOf,
  equals,
  type FilterConditions,
  type Filters,
  mergeParams,
  type ValueFilter,
  withExclusions,
} from './filters.ts';
import type { Page, PageRequest } from './list-definition.ts';
import { createListing } from './listing.ts';
import { nanosecondsKey, numberKey, textKey } from './sort-keys.ts';

/** A stored event as lists contain it. Its content is in `raw`. Times are RFC 3339 in UTC. */
export interface ListedEvent {
  /** `<topic>~<partition>~<offset>` */
  readonly id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly received: string;
  /** The received JSON text. */
  readonly raw: string;
}

/** A listed event with the other columns of the table. 64-bit numbers are strings of digits. */
export interface StoredEvent extends ListedEvent {
  readonly timestamp: string;
  readonly [column: string]: string | number | null;
}

interface EventRow extends Omit<ListedEvent, 'id' | 'partition' | 'offset'> {
  readonly timestamp: string;
  readonly partition: string;
  readonly offset: string;
  readonly [column: string]: string | null;
}
interface ListedRow extends Pick<EventRow, 'topic' | 'partition' | 'offset' | 'received'> {
  /** Not named `raw`: conditions would then refer to this expression and not to the column. */
  readonly text: string;
}

/**
 * Columns of a list row. The rows of a page lie far apart, and for each row the server decompresses a block of every
 * selected column.
 */
const LISTED = 'topic, partition, offset, received';
const HIDDEN = new Set(['ingest_id']);
const COLUMNS = eventsTable.columns.map((column) => column.name).filter((column) => !HIDDEN.has(column));

function toListedEvent({ topic, partition, offset, received, text }: ListedRow): ListedEvent {
  const identity = { topic, partition: Number(partition), offset: Number(offset) };
  return { id: recordId(identity), ...identity, received, raw: text };
}

/**
 * Returns the column that contains the JSON of all matching events. Only events that detectors write about themselves
 * contain a register.
 */
function textColumn({ type, register }: Filters): string {
  const types = type === undefined ? [] : [type].flat();
  const ofDetectors = types.length > 0 && types.every((type) => DETECTOR_TYPES.some((one) => one === type));
  const isOfDetectors = register !== undefined || ofDetectors;
  return isOfDetectors ? 'detector_raw' : 'raw';
}

/**
 * Name columns take one or two bytes per row. By default, ClickHouse would first read the times, which take eight
 * bytes, of every event in the window.
 */
function names(column: ValueFilter): (value: unknown) => Condition {
  return (value) => ({ ...equals(column, column)(value), first: true });
}

const FILTERS: FilterConditions = {
  from: compares('timestamp', '>=', 'from'),
  to: compares('timestamp', '<', 'to'),
  ...withExclusions({
    type: names('type'),
    hostname: names('hostname'),
    procname: names('procname'),
    file: names('file'),
    register: names('register'),
    executable: names('executable'),
    unit: names('unit'),
    container: names('container'),
    pod: names('pod'),
  }),
  q: searched,
};

/** Most rows that the word index returns do not match. The text is therefore read before the other columns. */
function searched(text: unknown): Condition {
  return { ...searchCondition('events', String(text)), first: true };
}

/** Returns conditions on the table of events. Undefined if the filter by detection names an unknown detection. */
export async function eventConditions(clickhouse: ClickHouse, filters: Filters): Promise<Condition[] | undefined> {
  const found = await ofDetection(clickhouse, filters);
  return found && [...conditionsOf(FILTERS, found.filters), ...found.also];
}

function events(clickhouse: ClickHouse, filters: Filters) {
  return createListing<ListedRow, ListedEvent>(clickhouse, {
    name: 'events',
    table: eventsTable.name,
    columns: `${LISTED}, ${textColumn(filters)} AS text`,
    keys: [nanosecondsKey('timestamp'), textKey('topic'), numberKey('partition'), numberKey('offset')],
    filters: FILTERS,
    windowsOf: 1_000_000_000n,
    toItem: toListedEvent,
  });
}

/** Returns one page of events, newest first by event time. */
export async function listEvents(
  clickhouse: ClickHouse,
  filters: Filters,
  page: PageRequest,
): Promise<Page<ListedEvent>> {
  const found = await ofDetection(clickhouse, filters);
  return found === undefined ? { items: [] } : events(clickhouse, filters).page(found.filters, page, found.also);
}

/** Yields all events that match the filters, newest first, as `ndjson` lines written by ClickHouse. */
export async function* streamEventLines(
  clickhouse: ClickHouse,
  filters: Filters,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const found = await ofDetection(clickhouse, filters);
  if (found === undefined) return;
  const line = eventLine(textColumn(filters));
  yield* events(clickhouse, filters).lines(line, found.filters, found.also, signal);
}

/** Returns an event. `id` as in `StoredEvent`. Undefined if it does not exist. */
export async function getEvent(clickhouse: ClickHouse, id: string): Promise<StoredEvent | undefined> {
  const identity = parseRecordId(id);
  if (identity === undefined) return undefined;
  const [row] = await clickhouse.rows<EventRow>(
    'get an event',
    `SELECT ${COLUMNS.map((column) => `\`${column}\``).join(', ')} FROM ${clickhouse.table(eventsTable.name)}
     WHERE topic = {topic:String} AND partition = {partition:UInt64} AND offset = {offset:UInt64} LIMIT 1`,
    { params: { ...identity } },
  );
  return row && { ...row, ...toListedEvent({ ...row, text: row.raw }) };
}

/**
 * Replaces the filter by detection with conditions on the events that can be its evidence. These are the events of its
 * host, and of its program if it has one, from its first to its last evidence. For a rule across hosts, they are those
 * of its file. The time range of the detection becomes that of the list, so no other times are read. Returns undefined
 * if the detection does not exist.
 */
async function ofDetection(
  clickhouse: ClickHouse,
  filters: Filters,
): Promise<{ readonly filters: Filters; readonly also: Condition[] } | undefined> {
  if (filters.detection === undefined) return { filters, also: [] };
  const found = await getDetection(clickhouse, filters.detection);
  const first = found && parseTimestamp(found.firstSeen);
  const last = found && parseTimestamp(found.lastSeen);
  if (found === undefined || first === undefined || last === undefined) return undefined;
  const { file, rule, hostname, procname } = found;
  // A user rule can use events of any kind as evidence.
  const builtIn = isRuleId(rule.id) ? ruleById(rule.id) : undefined;
  const { kind, before = 0 } = builtIn === undefined ? ALL : (builtIn.restsOn ?? CRASHES);
  const begin = { ...first, seconds: first.seconds - before };
  const { from = begin, to = afterwards(last) } = filters;
  const time = {
    from: compareInstants(from, begin) < 0 ? begin : from,
    to: compareInstants(to, last) <= 0 ? to : afterwards(last),
  };
  const also = eventsOf(kind);
  if (file !== null && builtIn?.acrossHosts === true)
    return { filters: { ...filters, ...time }, also: [onHostsOf(found, file), ...also] };
  const host: Condition =
    hostname === null
      ? { sql: 'hostname IS NULL', params: {}, first: true }
      : { sql: 'hostname = {d_host:String}', params: { d_host: hostname }, first: true };
  also.push(host);
  if (procname !== null) {
    const spans = [compares('timestamp', '>=', 'from')(begin), compares('timestamp', '<', 'to')(afterwards(last))];
    const images = kind === 'image' ? await abortPlaces(clickhouse, procname, [host, ...spans]) : [];
    also.push(ofProgram(procname, images));
  }
  return { filters: { ...filters, ...time }, also };
}

const CRASHES: RuleEvents = { kind: 'crashes' };
const ALL: RuleEvents = { kind: 'all' };

/** Condition that selects the kind of events that a rule uses as evidence. */
function eventsOf(kind: RuleEvents['kind']): Condition[] {
  if (kind === 'all') return [];
  if (kind === 'settings') return [{ sql: `type = 'ConfigMismatch'`, params: {}, first: true }];
  if (kind === 'faults') return [{ sql: IS_KERNEL_FAULT, params: {}, first: true }];
  const suppressed = `type = 'LinuxSuppressedCallback' AND splitByChar('.', assumeNotNull(function_name))[1] IN {d_printers:Array(String)}`;
  return [{ sql: `(${IS_CRASH_LINE} OR (${suppressed}))`, params: { d_printers: [...CRASH_PRINTER_NAMES] } }];
}

/**
 * Condition that selects the program's events. Suppressed callbacks belong to an episode but contain no program.
 * `images`: addresses in its image, decimal.
 */
function ofProgram(procname: string, images: readonly string[]): Condition {
  const sameImage =
    images.length === 0 ? '' : ' OR has(arrayMap(place -> toUInt64(place), {d_images:Array(String)}), ifNull(ip, 0))';
  return {
    sql: `(procname = {d_proc:String} OR procname IS NULL${sameImage})`,
    params: { d_proc: procname, ...(images.length === 0 ? {} : { d_images: images }) },
  };
}

/** With more addresses than this, the aborts are not those of one image that is forked repeatedly. */
const MAX_ABORT_PLACES = 64;

/**
 * Returns the decimal addresses at which a program aborts. Children of the same image abort there too, under any
 * process name.
 */
async function abortPlaces(
  clickhouse: ClickHouse,
  procname: string,
  where: readonly Condition[],
): Promise<readonly string[]> {
  const rows = await clickhouse.rows<{ at: string }>(
    'find where a program aborts',
    `SELECT DISTINCT toString(assumeNotNull(ip)) AS at FROM ${clickhouse.table(eventsTable.name)}
     WHERE ${where.map(({ sql }) => sql).join(' AND ')} AND type = 'LinuxFatalSignal' AND procname = {d_proc:String} AND ip IS NOT NULL
     LIMIT {d_places:UInt64}`,
    { params: mergeParams({ d_proc: procname, d_places: MAX_ABORT_PLACES }, ...where.map(({ params }) => params)) },
  );
  return rows.map(({ at }) => at);
}

/**
 * Condition that selects the file's crashes on the hosts of a campaign. If the detection does not list all of its
 * hosts, selects all hosts. The kernel marks a file that was replaced on disk.
 */
function onHostsOf({ hosts, hostsTotal }: Pick<Detection, 'hosts' | 'hostsTotal'>, file: string): Condition {
  const isListed = hosts.length > 0 && hosts.length === hostsTotal;
  return {
    sql: `file IN ({d_file:String}, {d_deleted:String}) AND ${isListed ? 'hostname IN {d_hosts:Array(String)}' : 'hostname IS NOT NULL'}`,
    params: { d_file: file, d_deleted: `${file} (deleted)`, ...(isListed ? { d_hosts: [...hosts] } : {}) },
    first: true,
  };
}

/** Returns the next nanosecond. The end of a filter is exclusive, that of an episode inclusive. */
function afterwards({ seconds, nanos }: Instant): Instant {
  return nanos === 999_999_999 ? { seconds: seconds + 1, nanos: 0 } : { seconds, nanos: nanos + 1 };
}
