import type { ClickHouse } from '../client.ts';
import { ClickHouseFailure } from '../failure.ts';
import { eventsTable } from '../tables/events.ts';
import { detectionConditions } from './detections.ts';
import { eventConditions } from './events.ts';
import { type Condition, type Filters, mergeParams } from './filters.ts';

/** Internal columns of the table, which exports omit. */
const HIDDEN = new Set(['ingest_id']);
const EVENT_COLUMNS = eventsTable.columns
  .filter(({ name }) => !HIDDEN.has(name))
  .map(({ name }) => `\`${name}\``)
  .join(', ');

/** Named like the columns of the format `csv`. Lists and techniques stay lists. */
const DETECTION_COLUMNS = `
  id, revision, rule.id AS ruleId, rule.version AS ruleVersion, rule.name AS ruleName, severity, hostname, procname, file, register,
  firstSeen, lastSeen, crashes, suppressedAtLeast, message, values, valuesTotal, attack, evidenceCount, status, verdict, assignee, note,
  exception, executable, buildId, uid, parent, unit, container, pod, event, hosts, hostsTotal, riskScore`;

/**
 * Small row groups, encoded one after the other, so that the server's memory does not grow with the export. A reader
 * that stalls for ten minutes ends its export.
 */
const SETTINGS = {
  max_execution_time: 3_600,
  max_memory_usage: String(2 ** 30),
  max_threads: 2,
  http_send_timeout: 600,
  output_format_parquet_row_group_size: '20000',
  output_format_parquet_row_group_size_bytes: String(16 * 2 ** 20),
  output_format_parquet_parallel_encoding: 0,
  output_format_parquet_string_as_string: 1,
} as const;

/** Last bytes of a complete file. */
const MAGIC = Buffer.from('PAR1');

/** Yields all events that match the filters, as a Parquet file that ClickHouse writes, in no order. */
export async function* streamEventsParquet(
  clickhouse: ClickHouse,
  filters: Filters,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const conditions = (await eventConditions(clickhouse, filters)) ?? [{ sql: 'false', params: {} }];
  const from = clickhouse.table(eventsTable.name);
  yield* parquet(clickhouse, { name: 'events', select: EVENT_COLUMNS, from, conditions }, signal);
}

/**
 * Yields all detections that match the filters, in their latest revision, as a Parquet file that ClickHouse writes, in
 * no order.
 */
export function streamDetectionsParquet(
  clickhouse: ClickHouse,
  filters: Filters,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const from = clickhouse.table('detections');
  const conditions = detectionConditions(clickhouse, filters);
  return parquet(clickhouse, { name: 'detections', select: DETECTION_COLUMNS, from, conditions }, signal);
}

interface Export {
  /** Plural, for messages. */
  readonly name: string;
  readonly select: string;
  readonly from: string;
  readonly conditions: readonly Condition[];
}

async function* parquet(
  clickhouse: ClickHouse,
  { name, select, from, conditions }: Export,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => `(${sql})`).join(' AND ')}`;
  const query = `SELECT ${select} FROM ${from} ${where} FORMAT Parquet`;
  const params = mergeParams(...conditions.map((condition) => condition.params));
  const options = { params, settings: SETTINGS, ...(signal ? { signal } : {}) };
  let end = Buffer.alloc(0);
  for await (const chunk of clickhouse.bytes(`export ${name}`, query, options)) {
    end = Buffer.concat([end, chunk.subarray(-MAGIC.length)]).subarray(-MAGIC.length);
    yield chunk;
  }
  // A server that fails midway writes its error at the position of the file's end.
  if (!end.equals(MAGIC)) throw new ClickHouseFailure(`export ${name}`, new Error('the file is not complete'));
}
