import type { Instant } from '#schemas/events/accepted.ts';
import type { EventType } from '#schemas/events/v1.ts';
import type { EventColumns } from '../../formats/event-columns.ts';
import { name, nullableName } from '../native/low-cardinality.ts';
import { milliseconds, nanoseconds, nullableUint64, text, uint64 } from '../native/scalars.ts';
import { type StoredText, storedTexts } from '../native/stored-text.ts';
import { type ChainedTable, column, fixedColumn } from '../table.ts';
import { landingDay, retainByReceipt } from './landing-day.ts';

/** Everything the columns are made from. */
export interface EventTableRow {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly receivedMs: number;
  readonly time: Instant;
  readonly hostname: string | null;
  readonly fields: EventColumns;
  /** The kind of trap: the column groups well, while `fields.trap` names each address. */
  readonly trap: string | null;
  readonly ingestId: string;
  readonly raw: StoredText | Buffer;
}
type Row = EventTableRow;

/** Events that detectors write about themselves. Their text is also in the column `detector_raw`, which is empty in all other rows. */
export const DETECTOR_TYPES: readonly EventType['type'][] = ['RegisterProbe', 'ConfigMismatch'];

/** Accepted events, each once. */
export const eventsTable: ChainedTable<Row> = {
  name: 'events',
  partition: landingDay,
  columns: [
    fixedColumn('topic', name, (r: Row) => r.topic),
    fixedColumn('partition', uint64, (r: Row) => r.partition),
    column('offset', uint64, (r: Row) => r.offset),
    fixedColumn('received', milliseconds, (r: Row) => r.receivedMs),
    column('timestamp', nanoseconds, (r: Row) => r.time),
    column('hostname', nullableName, (r: Row) => r.hostname),
    column('type', name, (r: Row) => r.fields.type),
    column('procname', nullableName, (r: Row) => r.fields.procname),
    column('pid', nullableUint64, (r: Row) => r.fields.pid),
    column('ip', nullableUint64, (r: Row) => r.fields.ip),
    column('sp', nullableUint64, (r: Row) => r.fields.sp),
    column('file', nullableName, (r: Row) => r.fields.file),
    column('vmastart', nullableUint64, (r: Row) => r.fields.vmastart),
    column('vmasize', nullableUint64, (r: Row) => r.fields.vmasize),
    column('trap', nullableName, (r: Row) => r.trap),
    column('location', nullableUint64, (r: Row) => r.fields.location),
    column('signal', nullableName, (r: Row) => r.fields.signal),
    column('function_name', nullableName, (r: Row) => r.fields.function_name),
    column('count', nullableUint64, (r: Row) => r.fields.count),
    column('level', nullableName, (r: Row) => r.fields.level),
    column('facility', nullableName, (r: Row) => r.fields.facility),
    column('register', nullableName, (r: Row) => r.fields.register),
    column('ingest_id', text, (r: Row) => r.ingestId),
    column('raw', storedTexts, (r: Row) => r.raw),
  ],
  notAtLanding: ['raw_filter'],
  ttl: retainByReceipt,
};
