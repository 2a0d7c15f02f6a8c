import { cef } from './cef.ts';
import { csv } from './csv.ts';
import { ecs } from './ecs.ts';
import { FORMAT_NAMES, type Format, type FormatName } from './format.ts';
import { json, ndjson } from './json.ts';
import { ocsf } from './ocsf.ts';
import type { RecordKind, RecordOf } from './record.ts';
import { createTable } from './table.ts';
import { v1 } from './v1.ts';

/** Width of a table if the width of the terminal is unknown. */
const DEFAULT_TABLE_WIDTH = 160;

/** All formats by name. `createTable(width)` creates a table for a terminal of that width. */
export const FORMATS: Readonly<Record<FormatName, Format>> = {
  table: createTable(DEFAULT_TABLE_WIDTH),
  json,
  ndjson,
  csv,
  v1,
  cef,
  ecs,
  ocsf,
};

/** Returns the writer of one kind of record in a format; undefined if the format does not support it. */
export function recordWriter<K extends RecordKind>(
  format: Format,
  kind: K,
): ((record: RecordOf[K]) => string | undefined) | undefined {
  const writers: { [P in RecordKind]: ((record: RecordOf[P]) => string | undefined) | undefined } = {
    events: format.event,
    detections: format.detection,
    'dead-letters': format.deadLetter,
  };
  return writers[kind];
}

/**
 * Kinds of records whose lists can be exported as Parquet. Parquet has no writer of single records: ClickHouse writes
 * the file.
 */
const IN_PARQUET: ReadonlySet<RecordKind> = new Set(['events', 'detections']);

/** Returns the names of the formats in which a whole list can be exported: those of its records, and Parquet. */
export function listFormatsOf(kind: RecordKind): readonly (FormatName | 'parquet')[] {
  return [...formatsOf(kind), ...(IN_PARQUET.has(kind) ? (['parquet'] as const) : [])];
}

/** Returns the names of the formats of a kind of record, for example for the help text of a command. */
export function formatsOf(kind: RecordKind): readonly FormatName[] {
  return FORMAT_NAMES.filter((name) => recordWriter(FORMATS[name], kind) !== undefined);
}

/**
 * Yields header, records and trailer, each with its terminator. Throws a RangeError if the format does not support this
 * kind. Memory does not grow with the number of records.
 */
export function* writeRecords<K extends RecordKind>(
  format: Format,
  kind: K,
  records: Iterable<RecordOf[K]>,
): Generator<string> {
  const write = recordWriter(format, kind);
  if (write === undefined) throw new RangeError(`${kind} have no form in ${format.name}`);
  if (format.header) yield format.header(kind) + format.terminator;
  for (const record of records) {
    const text = write(record);
    if (text !== undefined) yield text + format.terminator;
  }
  if (format.trailer) yield format.trailer(kind) + format.terminator;
}
