import type { Instant } from '#schemas/events/accepted.ts';
import type { EventType } from '#schemas/events/event.ts';
import type { EventColumns } from '../../formats/event-columns.ts';
import { name, nullableName } from '../native/low-cardinality.ts';
import { milliseconds, nanoseconds, nullableUint64, text, uint64 } from '../native/scalars.ts';
import { type StoredText, storedTexts } from '../native/stored-text.ts';
import { type ChainedTable, column, fixedColumn, searchable } from '../table.ts';
import { landingDay, retainByReceipt } from './landing-day.ts';

/** The input of all columns. */
export interface EventTableRow {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly receivedMs: number;
  readonly time: Instant;
  readonly hostname: string | null;
  readonly event: EventType;
  /** The fields of `event` as a flat object. */
  readonly fields: EventColumns;
  /** The kind of trap. This column has few distinct values, whereas `fields.trap` contains addresses. */
  readonly trap: string | null;
  readonly ingestId: string;
  readonly raw: StoredText | Buffer;
}
type Row = EventTableRow;

/**
 * Events that detectors write about themselves. Their JSON is also in the column `detector_raw`, which is empty in all
 * other rows.
 */
export const DETECTOR_TYPES: readonly EventType['type'][] = ['RegisterProbe', 'ConfigMismatch'];

/** Accepted events, each once. */
export const eventsTable: ChainedTable<Row> = {
  name: 'events',
  partition: landingDay,
  columns: [
    searchable(fixedColumn('topic', name, (r: Row) => r.topic)),
    searchable(fixedColumn('partition', uint64, (r: Row) => r.partition)),
    searchable(column('offset', uint64, (r: Row) => r.offset)),
    fixedColumn('received', milliseconds, (r: Row) => r.receivedMs),
    column('timestamp', nanoseconds, (r: Row) => r.time),
    searchable(column('hostname', nullableName, (r: Row) => r.hostname)),
    searchable(column('type', name, (r: Row) => r.fields.type)),
    searchable(column('procname', nullableName, (r: Row) => r.fields.procname)),
    searchable(column('pid', nullableUint64, (r: Row) => r.fields.pid)),
    searchable(column('ip', nullableUint64, (r: Row) => r.fields.ip)),
    searchable(column('sp', nullableUint64, (r: Row) => r.fields.sp)),
    searchable(column('file', nullableName, (r: Row) => r.fields.file)),
    searchable(column('vmastart', nullableUint64, (r: Row) => r.fields.vmastart)),
    searchable(column('vmasize', nullableUint64, (r: Row) => r.fields.vmasize)),
    searchable(column('trap', nullableName, (r: Row) => r.trap)),
    searchable(column('location', nullableUint64, (r: Row) => r.fields.location)),
    searchable(column('signal', nullableName, (r: Row) => r.fields.signal)),
    searchable(column('function_name', nullableName, (r: Row) => r.fields.function_name)),
    searchable(column('count', nullableUint64, (r: Row) => r.fields.count)),
    searchable(column('level', nullableName, (r: Row) => r.fields.level)),
    searchable(column('facility', nullableName, (r: Row) => r.fields.facility)),
    searchable(column('register', nullableName, (r: Row) => r.fields.register)),
    searchable(column('executable', nullableName, (r: Row) => r.fields.executable)),
    searchable(column('build_id', nullableName, (r: Row) => r.fields.build_id)),
    searchable(column('uid', nullableUint64, (r: Row) => r.fields.uid)),
    searchable(column('unit', nullableName, (r: Row) => r.fields.unit)),
    searchable(column('container', nullableName, (r: Row) => r.fields.container)),
    searchable(column('pod', nullableName, (r: Row) => r.fields.pod)),
    column('ingest_id', text, (r: Row) => r.ingestId),
    column('raw', storedTexts, (r: Row) => r.raw),
  ],
  notAtLanding: [
    'raw_filter',
    ...['type', 'register', 'hostname', 'procname', 'file', 'executable', 'unit', 'container', 'pod'].map(
      (column) => `${column}_filter`,
    ),
    ...['hostname', 'procname', 'file'].map((column) => `${column}_coarse`),
  ],
  ttl: retainByReceipt,
};
