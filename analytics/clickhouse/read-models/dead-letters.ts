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
import type { Page, PageRequest } from './list-definition.ts';
import { QUERY_LIMITS } from './list-query.ts';
import { createListing } from './listing.ts';
import { millisecondsKey, numberKey, textKey } from './sort-keys.ts';

/** A rejected record. Times are RFC 3339 in UTC. */
export interface StoredDeadLetter {
  /** `<topic>~<partition>~<offset>` */
  readonly id: string;
  readonly identity: RecordIdentity;
  readonly received: string;
  /** A code of the catalogue. Path and message give the position and the reason. */
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly ingestId: string;
  /** The received bytes, which may be anything. */
  readonly raw: Buffer;
  readonly key: Buffer | null;
  /** Time at which a redrive succeeded; null if none has. */
  readonly redriven: string | null;
  /** Outcome of the latest redrive: `landed`, or the code of the new rejection; null before the first redrive. */
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

/** JSON cannot represent bytes that are not UTF-8. */
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

/** `status`: `open` until a redrive succeeds, then `redriven`. */
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

/** Returns one page of dead letters, newest first, each with its redrive state. */
export function listDeadLetters(
  clickhouse: ClickHouse,
  filters: Filters,
  page: PageRequest,
): Promise<Page<StoredDeadLetter>> {
  return deadLetters(clickhouse).page(filters, page);
}

/** Counts the dead letters that match the filters. */
export async function countDeadLetters(clickhouse: ClickHouse, filters: Filters): Promise<number> {
  const conditions = conditionsOf(FILTERS, filters);
  const [row] = await clickhouse.rows<{ found: string }>(
    'count dead letters',
    `SELECT count() AS found FROM ${clickhouse.table('dead_letters')} WHERE ${['true', ...conditions.map(({ sql }) => `(${sql})`)].join(' AND ')}`,
    { params: mergeParams(...conditions.map(({ params }) => params)), settings: QUERY_LIMITS },
  );
  return Number(row?.found ?? 0);
}

/** Yields all dead letters that match the filters, newest first, in batches. */
export function streamDeadLetters(
  clickhouse: ClickHouse,
  filters: Filters,
  signal?: AbortSignal,
): AsyncIterable<StoredDeadLetter[]> {
  return deadLetters(clickhouse).stream(filters, [], signal);
}

/** Returns a dead letter. `id` as in `StoredDeadLetter`. Undefined if it does not exist. */
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
  /** `landed`, or the code of the new rejection. */
  readonly outcome: string;
  /** Epoch milliseconds. */
  readonly triedMs: number;
}

/** Records the outcomes of redrives. For several redrives of one dead letter, the latest wins. */
export function markRedriven(clickhouse: ClickHouse, redrives: readonly Redrive[]): Promise<void> {
  return insertRows(
    clickhouse,
    deadLetterRedrivesTable,
    redrives.map(({ identity, outcome, triedMs }) => ({ ...identity, outcome, receivedMs: triedMs })),
  );
}
