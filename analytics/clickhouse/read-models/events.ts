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
import { IS_CRASH_LINE } from './crash-counts.ts';
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
import { createListing, type Page, type PageRequest } from './listing.ts';
import { nanosecondsKey, numberKey, textKey } from './sort-keys.ts';

/** A landed event as lists give it: what it says stands in `raw`. Times are RFC 3339 in UTC. */
export interface ListedEvent {
  /** `<topic>~<partition>~<offset>` */
  readonly id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly received: string;
  /** The JSON text as it came. */
  readonly raw: string;
}

/** The same with the other columns of the table. Numbers of 64 bits are strings of digits. */
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
  /** Not `raw`: conditions would then mean what was read of the row, and not the column. */
  readonly text: string;
}

/** Rows of a page lie far apart, and of each the server unpacks a block of every column that is asked for. */
const LISTED = 'topic, partition, offset, received';
const HIDDEN = new Set(['ingest_id']);
const COLUMNS = eventsTable.columns.map((column) => column.name).filter((column) => !HIDDEN.has(column));

function toListedEvent({ topic, partition, offset, received, text }: ListedRow): ListedEvent {
  const identity = { topic, partition: Number(partition), offset: Number(offset) };
  return { id: recordId(identity), ...identity, received, raw: text };
}

/** The column that has the text of all that the filters leave: only what detectors themselves say names a register. */
function textColumn({ type, register }: Filters): string {
  const types = type === undefined ? [] : [type].flat();
  const ofDetectors = types.length > 0 && types.every((type) => DETECTOR_TYPES.some((one) => one === type));
  const isOfDetectors = register !== undefined || ofDetectors;
  return isOfDetectors ? 'detector_raw' : 'raw';
}

/** Names are one byte or two in a row. Left to decide, ClickHouse reads the times first, which are eight, of every event in the window. */
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

/** Of what the index of words leaves, most has none of them: the text is read before what stands around it. */
function searched(text: unknown): Condition {
  return { ...searchCondition('events', String(text)), first: true };
}

/** Conditions on the table of events; undefined when they are to be those of a detection that there is not. */
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

/** One page of events, newest first by their own time. */
export async function listEvents(
  clickhouse: ClickHouse,
  filters: Filters,
  page: PageRequest,
): Promise<Page<ListedEvent>> {
  const found = await ofDetection(clickhouse, filters);
  return found === undefined ? { items: [] } : events(clickhouse, filters).page(found.filters, page, found.also);
}

/** All events the filters leave, newest first, as lines of the format `ndjson` written by ClickHouse. */
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

/** `id` as in `StoredEvent`; `undefined` when it does not exist. */
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
 * The filters, and what stands for the one by a detection: the events it can rest on are those of its host, and of its program where it has one, from its
 * first to its last evidence; of a rule across hosts those of its file. Undefined when there is no such detection. Its time becomes that of the list, which then looks nowhere else.
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
  // A rule of a user can rest on events of any kind.
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

/** Condition on the kind of event that a rule rests on. */
function eventsOf(kind: RuleEvents['kind']): Condition[] {
  if (kind === 'all') return [];
  if (kind === 'settings') return [{ sql: `type = 'ConfigMismatch'`, params: {}, first: true }];
  const suppressed = `type = 'LinuxSuppressedCallback' AND splitByChar('.', assumeNotNull(function_name))[1] IN {d_printers:Array(String)}`;
  return [{ sql: `(${IS_CRASH_LINE} OR (${suppressed}))`, params: { d_printers: [...CRASH_PRINTER_NAMES] } }];
}

/** The program's events. Suppressed callbacks belong to an episode but name no program. `images`: addresses in its image, decimal. */
function ofProgram(procname: string, images: readonly string[]): Condition {
  const sameImage =
    images.length === 0 ? '' : ' OR has(arrayMap(place -> toUInt64(place), {d_images:Array(String)}), ifNull(ip, 0))';
  return {
    sql: `(procname = {d_proc:String} OR procname IS NULL${sameImage})`,
    params: { d_proc: procname, ...(images.length === 0 ? {} : { d_images: images }) },
  };
}

/** More addresses than this are no image that is forked again and again. */
const MAX_ABORT_PLACES = 64;

/** Where a program aborts, as decimal addresses: children of one image abort there too, whatever they call themselves. */
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

/** The file's crashes on the hosts of a campaign; on all hosts if the detection does not list all of its own. The kernel marks a file that was replaced on disk. */
function onHostsOf({ hosts, hostsTotal }: Pick<Detection, 'hosts' | 'hostsTotal'>, file: string): Condition {
  const isListed = hosts.length > 0 && hosts.length === hostsTotal;
  return {
    sql: `file IN ({d_file:String}, {d_deleted:String}) AND ${isListed ? 'hostname IN {d_hosts:Array(String)}' : 'hostname IS NOT NULL'}`,
    params: { d_file: file, d_deleted: `${file} (deleted)`, ...(isListed ? { d_hosts: [...hosts] } : {}) },
    first: true,
  };
}

/** The next nanosecond: filters end before an instant, episodes at one. */
function afterwards({ seconds, nanos }: Instant): Instant {
  return nanos === 999_999_999 ? { seconds: seconds + 1, nanos: 0 } : { seconds, nanos: nanos + 1 };
}
