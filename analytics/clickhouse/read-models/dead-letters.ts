import { parseRecordId, recordId } from '#schemas/record-id.ts';
import type { RecordIdentity } from '#schemas/topics.ts';
import type { ClickHouse } from '../client.ts';
import { insertRows } from '../insert-rows.ts';
import { searchCondition } from '../search/search-condition.ts';
import { deadLetterRedrivesTable } from '../tables/dead-letter-redrives.ts';
import {
  type Condition,
  compares,
  conditionsOf,
  equals,
  type FilterConditions,
  type Filters,
  mergeParams,
} from './filters.ts';
import { createListing, type Page, type PageRequest, QUERY_LIMITS } from './listing.ts';
import { millisecondsKey, numberKey, textKey } from './sort-keys.ts';

/** A refused record. Times are RFC 3339 in UTC. */
export interface StoredDeadLetter {
  /** `<topic>~<partition>~<offset>` */
  readonly id: string;
  readonly identity: RecordIdentity;
  readonly received: string;
  /** A code of the catalogue, with where it applied and what it means. */
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly ingestId: string;
  /** All bytes as they came: anything at all. */
  readonly raw: Buffer;
  readonly key: Buffer | null;
  /** When a redrive put it through; null while none has. */
  readonly redriven: string | null;
  /** Of the latest redrive: `landed`, or the code for which it was refused again; null before the first. */
  readonly redriveOutcome: string | null;
}

interface DeadLetterRow {
  readonly topic: string;
  readonly partition: string;
  readonly offset: string;
  readonly received: string;
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly ingest_id: string;
  readonly raw_base64: string;
  readonly key_base64: string | null;
  readonly redriven: string | null;
  readonly redrive_outcome: string | null;
}

/** JSON has no place for bytes that are not UTF-8. */
const COLUMNS = `topic, partition, offset, received, code, path, message, ingest_id,
  base64Encode(raw) AS raw_base64, base64Encode(key) AS key_base64, redriven, redrive_outcome`;

function toDeadLetter(row: DeadLetterRow): StoredDeadLetter {
  const identity = { topic: row.topic, partition: Number(row.partition), offset: Number(row.offset) };
  return {
    id: recordId(identity),
    identity,
    received: row.received,
    code: row.code,
    path: row.path,
    message: row.message,
    ingestId: row.ingest_id,
    raw: Buffer.from(row.raw_base64, 'base64'),
    key: row.key_base64 === null ? null : Buffer.from(row.key_base64, 'base64'),
    redriven: row.redriven,
    redriveOutcome: row.redrive_outcome,
  };
}

/** `status`: `open` while no redrive has put the record through, else `redriven`. */
const STATUS: Readonly<Record<string, string>> = { open: 'redriven IS NULL', redriven: 'redriven IS NOT NULL' };

const FILTERS: FilterConditions = {
  from: compares('received', '>=', 'from'),
  to: compares('received', '<', 'to'),
  code: equals('code', 'code'),
  topic: equals('topic', 'topic'),
  status: (value): Condition => ({
    sql: `(${[value]
      .flat()
      .map((one) => STATUS[String(one)] ?? 'false')
      .join(' OR ')})`,
    params: {},
  }),
  q: (text) => searchCondition('dead-letters', String(text)),
};

function deadLetters(clickhouse: ClickHouse) {
  return createListing<DeadLetterRow, StoredDeadLetter>(clickhouse, {
    name: 'dead letters',
    table: 'dead_letters',
    columns: COLUMNS,
    keys: [millisecondsKey('received'), textKey('topic'), numberKey('partition'), numberKey('offset')],
    filters: FILTERS,
    windowsOf: 1_000n,
    toItem: toDeadLetter,
  });
}

/** One page of dead letters, newest first, each with whether a redrive has put it through. */
export function listDeadLetters(
  clickhouse: ClickHouse,
  filters: Filters,
  page: PageRequest,
): Promise<Page<StoredDeadLetter>> {
  return deadLetters(clickhouse).page(filters, page);
}

/** How many dead letters the filters choose. */
export async function countDeadLetters(clickhouse: ClickHouse, filters: Filters): Promise<number> {
  const conditions = conditionsOf(FILTERS, filters);
  const [row] = await clickhouse.rows<{ found: string }>(
    'count dead letters',
    `SELECT count() AS found FROM ${clickhouse.table('dead_letters')} WHERE ${['true', ...conditions.map(({ sql }) => `(${sql})`)].join(' AND ')}`,
    { params: mergeParams(...conditions.map(({ params }) => params)), settings: QUERY_LIMITS },
  );
  return Number(row?.found ?? 0);
}

/** All dead letters the filters leave, newest first, in batches as they are read. */
export function streamDeadLetters(
  clickhouse: ClickHouse,
  filters: Filters,
  signal?: AbortSignal,
): AsyncIterable<StoredDeadLetter[]> {
  return deadLetters(clickhouse).stream(filters, [], signal);
}

/** `id` as in `StoredDeadLetter`; `undefined` when it does not exist. */
export async function getDeadLetter(clickhouse: ClickHouse, id: string): Promise<StoredDeadLetter | undefined> {
  const identity = parseRecordId(id);
  if (identity === undefined) return undefined;
  const [row] = await clickhouse.rows<DeadLetterRow>(
    'get a dead letter',
    `SELECT ${COLUMNS} FROM ${clickhouse.table('dead_letters')}
     WHERE topic = {topic:String} AND partition = {partition:UInt64} AND offset = {offset:UInt64} LIMIT 1`,
    { params: { ...identity } },
  );
  return row && toDeadLetter(row);
}

export interface Redrive {
  readonly identity: RecordIdentity;
  /** `landed`, or the code for which the record was refused again. */
  readonly outcome: string;
  /** Epoch milliseconds. */
  readonly triedMs: number;
}

/** Notes what became of dead letters that were sent through again. Of several tries the latest counts. */
export function markRedriven(clickhouse: ClickHouse, redrives: readonly Redrive[]): Promise<void> {
  return insertRows(
    clickhouse,
    deadLetterRedrivesTable,
    redrives.map(({ identity, outcome, triedMs }) => ({ ...identity, outcome, receivedMs: triedMs })),
  );
}
