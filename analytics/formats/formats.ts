import { cef } from './cef.ts';
import { csv } from './csv.ts';
import { ecs } from './ecs.ts';
import { FORMAT_NAMES, type Format, type FormatName } from './format.ts';
import { json, ndjson } from './json.ts';
import { ocsf } from './ocsf.ts';
import type { RecordKind, RecordOf } from './record.ts';
import { createTable } from './table.ts';
import { v1 } from './v1.ts';

/** A table that is not shown on a terminal whose width is known. */
const DEFAULT_TABLE_WIDTH = 160;

/** Every format by its name. `createTable(width)` makes a table for a given terminal. */
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

/** The writer of one kind of record in a format; undefined when the format has no form for it. */
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

/** Kinds of records of which a whole list can be written as Parquet. It has no writer of single records: ClickHouse writes the file. */
const IN_PARQUET: ReadonlySet<RecordKind> = new Set(['events', 'detections']);

/** Names of the formats that a list of a kind can be read in as a whole: those of its records, and Parquet. */
export function listFormatsOf(kind: RecordKind): readonly (FormatName | 'parquet')[] {
  return [...formatsOf(kind), ...(IN_PARQUET.has(kind) ? (['parquet'] as const) : [])];
}

/** Names of the formats that a kind of record can be written in, e.g. for the help text of a command. */
export function formatsOf(kind: RecordKind): readonly FormatName[] {
  return FORMAT_NAMES.filter((name) => recordWriter(FORMATS[name], kind) !== undefined);
}

/**
 * Writes records as they come, terminators included: header, records, trailer. Throws a RangeError when the format has no form for
 * this kind. Memory does not grow with the number of records.
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
