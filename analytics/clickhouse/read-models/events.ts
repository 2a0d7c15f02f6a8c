import { parseTimestamp } from '#schemas/events/timestamp.ts';
import { parseRecordId, recordId } from '#schemas/record-id.ts';
import type { ClickHouse } from '../client.ts';
import { searchCondition } from '../search/search-condition.ts';
import { eventsTable } from '../tables/events.ts';
import { getDetection } from './detections.ts';
import { type Condition, compares, equals, type Filters, nanosText } from './filters.ts';
import { createListing, nanosecondsKey, numberKey, type Page, type PageRequest, textKey } from './listing.ts';

/** A landed event. Numbers of 64 bits are strings of digits, times RFC 3339 in UTC. */
export interface StoredEvent {
  /** `<topic>~<partition>~<offset>` */
  readonly id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly received: string;
  readonly timestamp: string;
  readonly hostname: string | null;
  readonly type: string;
  readonly procname: string | null;
  readonly pid: string | null;
  readonly ip: string | null;
  readonly sp: string | null;
  readonly file: string | null;
  readonly vmastart: string | null;
  readonly vmasize: string | null;
  readonly trap: string | null;
  readonly location: string | null;
  readonly signal: string | null;
  readonly function_name: string | null;
  readonly count: string | null;
  readonly level: string | null;
  readonly facility: string | null;
  readonly register: string | null;
  /** The JSON text as it came. */
  readonly raw: string;
}

interface EventRow extends Omit<StoredEvent, 'id' | 'partition' | 'offset'> {
  readonly partition: string;
  readonly offset: string;
}

const HIDDEN = new Set(['ingest_id']);
const COLUMNS = eventsTable.columns.map((column) => column.name).filter((column) => !HIDDEN.has(column));

function toStoredEvent(row: EventRow): StoredEvent {
  const { _key: _, ...columns } = row as EventRow & { _key?: unknown };
  const identity = { topic: row.topic, partition: Number(row.partition), offset: Number(row.offset) };
  return { ...columns, ...identity, id: recordId(identity) };
}

function events(clickhouse: ClickHouse) {
  return createListing<EventRow, StoredEvent>(clickhouse, {
    name: 'events',
    table: eventsTable.name,
    columns: COLUMNS.map((column) => `\`${column}\``).join(', '),
    keys: [nanosecondsKey('timestamp'), textKey('topic'), numberKey('partition'), numberKey('offset')],
    filters: {
      from: compares('timestamp', '>=', 'from'),
      to: compares('timestamp', '<', 'to'),
      type: equals('type', 'type'),
      hostname: equals('hostname', 'hostname'),
      procname: equals('procname', 'procname'),
      file: equals('file', 'file'),
      register: equals('register', 'register'),
      q: (text) => searchCondition('events', String(text)),
    },
    windowsOf: 1_000_000_000n,
    toItem: toStoredEvent,
  });
}

/** One page of events, newest first by their own time. */
export async function listEvents(
  clickhouse: ClickHouse,
  filters: Filters,
  page: PageRequest,
): Promise<Page<StoredEvent>> {
  const also = await ofDetection(clickhouse, filters);
  return also === undefined ? { items: [] } : events(clickhouse).page(filters, page, also);
}

/** All events the filters leave, newest first, in batches as they are read. */
export async function* streamEvents(
  clickhouse: ClickHouse,
  filters: Filters,
  signal?: AbortSignal,
): AsyncGenerator<StoredEvent[]> {
  const also = await ofDetection(clickhouse, filters);
  if (also !== undefined) yield* events(clickhouse).stream(filters, also, signal);
}

/** `id` as in `StoredEvent`; `undefined` when there is none. */
export async function getEvent(clickhouse: ClickHouse, id: string): Promise<StoredEvent | undefined> {
  const identity = parseRecordId(id);
  if (identity === undefined) return undefined;
  const [row] = await clickhouse.rows<EventRow>(
    'get an event',
    `SELECT ${COLUMNS.map((column) => `\`${column}\``).join(', ')} FROM ${clickhouse.table(eventsTable.name)}
     WHERE topic = {topic:String} AND partition = {partition:UInt64} AND offset = {offset:UInt64} LIMIT 1`,
    { params: { ...identity } },
  );
  return row && toStoredEvent(row);
}

/** The events a detection can rest on: of its host, and of its program where it has one, from its first to its last evidence. */
async function ofDetection(clickhouse: ClickHouse, { detection }: Filters): Promise<Condition[] | undefined> {
  if (detection === undefined) return [];
  const found = await getDetection(clickhouse, detection);
  const first = found && parseTimestamp(found.firstSeen);
  const last = found && parseTimestamp(found.lastSeen);
  if (found === undefined || first === undefined || last === undefined) return undefined;
  const params = { d_first: nanosText(first), d_last: nanosText(last), d_host: found.hostname, d_proc: found.procname };
  const time =
    "timestamp BETWEEN fromUnixTimestamp64Nano({d_first:Int64}, 'UTC') AND fromUnixTimestamp64Nano({d_last:Int64}, 'UTC')";
  const host = found.hostname === null ? 'hostname IS NULL' : 'hostname = {d_host:String}';
  // Suppressed callbacks belong to an episode but name no program.
  const program = found.procname === null ? '' : ' AND (procname = {d_proc:String} OR procname IS NULL)';
  return [{ sql: `${time} AND ${host}${program}`, params: withoutNulls(params) }];
}

function withoutNulls(params: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
}
