import type { EventColumns } from '../../formats/event-columns.ts';
import { CHAINED_TABLE_SETTINGS, type Column, type Table } from '../table.ts';
import { landingDay, retainByReceipt } from './landing-day.ts';

/** Everything the columns are made from. */
export interface EventTableRow {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly receivedMs: number;
  readonly seconds: number;
  readonly nanos: number;
  readonly hostname: string | null;
  readonly fields: EventColumns;
  /** The kind of trap: the column groups well, while `fields.trap` names each address. */
  readonly trap: string | null;
  readonly ingestId: string;
  readonly raw: Buffer;
}

const NAME = 'LowCardinality(Nullable(String))';
const NUMBER = 'Nullable(UInt64)';

const columns: readonly Column<EventTableRow>[] = [
  landingDay,
  {
    name: 'topic',
    type: 'LowCardinality(String)',
    comment: 'Where the record came from; local.* never was in Kafka',
    write: (w, r) => w.string(r.topic),
  },
  { name: 'partition', type: 'UInt64', codec: 'Delta, ZSTD(1)', write: (w, r) => w.uint64(r.partition) },
  { name: 'offset', type: 'UInt64', codec: 'Delta, ZSTD(1)', write: (w, r) => w.uint64(r.offset) },
  {
    name: 'received',
    type: "DateTime64(3, 'UTC')",
    codec: 'Delta, ZSTD(1)',
    comment: 'When this service took the event in',
    write: (w, r) => w.dateTime64Millis(r.receivedMs),
  },
  {
    name: 'timestamp',
    type: "DateTime64(9, 'UTC')",
    codec: 'Delta, ZSTD(1)',
    comment: 'When the event occurred, by the detector; later digits than the ninth stand in raw only',
    write: (w, r) => w.dateTime64Nanos(r.seconds, r.nanos),
  },
  { name: 'hostname', type: NAME, write: (w, r) => w.nullableString(r.hostname) },
  { name: 'type', type: 'LowCardinality(String)', write: (w, r) => w.string(r.fields.type) },
  {
    name: 'procname',
    type: NAME,
    comment: 'Of a fatal signal: the Comm of its dump',
    write: (w, r) => w.nullableString(r.fields.procname),
  },
  { name: 'pid', type: NUMBER, codec: 'ZSTD(1)', write: (w, r) => w.nullableUint64(r.fields.pid) },
  {
    name: 'ip',
    type: NUMBER,
    codec: 'ZSTD(1)',
    comment: 'Instruction pointer; of a fatal signal: the RIP of its dump',
    write: (w, r) => w.nullableUint64(r.fields.ip),
  },
  {
    name: 'sp',
    type: NUMBER,
    codec: 'ZSTD(1)',
    comment: 'Stack pointer; of a fatal signal: the RSP of its dump',
    write: (w, r) => w.nullableUint64(r.fields.sp),
  },
  { name: 'file', type: NAME, write: (w, r) => w.nullableString(r.fields.file) },
  { name: 'vmastart', type: NUMBER, codec: 'ZSTD(1)', write: (w, r) => w.nullableUint64(r.fields.vmastart) },
  { name: 'vmasize', type: NUMBER, codec: 'ZSTD(1)', write: (w, r) => w.nullableUint64(r.fields.vmasize) },
  {
    name: 'trap',
    type: NAME,
    comment: 'Segfault, InvalidOpcode, GeneralProtectionFault, or the description of a generic one',
    write: (w, r) => w.nullableString(r.trap),
  },
  {
    name: 'location',
    type: NUMBER,
    codec: 'ZSTD(1)',
    comment: 'Address a segfault touched',
    write: (w, r) => w.nullableUint64(r.fields.location),
  },
  { name: 'signal', type: NAME, write: (w, r) => w.nullableString(r.fields.signal) },
  { name: 'function_name', type: NAME, write: (w, r) => w.nullableString(r.fields.function_name) },
  { name: 'count', type: NUMBER, codec: 'ZSTD(1)', write: (w, r) => w.nullableUint64(r.fields.count) },
  { name: 'level', type: NAME, write: (w, r) => w.nullableString(r.fields.level) },
  { name: 'facility', type: NAME, write: (w, r) => w.nullableString(r.fields.facility) },
  {
    name: 'register',
    type: NAME,
    comment: 'Of a RegisterProbe',
    write: (w, r) => w.nullableString(r.fields.register),
  },
  {
    name: 'ingest_id',
    type: 'String',
    codec: 'ZSTD(1)',
    comment: 'Chosen by the sender; empty when none was',
    write: (w, r) => w.string(r.ingestId),
  },
  {
    name: 'raw',
    type: 'String',
    codec: 'ZSTD(1)',
    comment: 'The JSON text of the event as it came',
    write: (w, r) => w.stringBytes(r.raw),
  },
];

/** Accepted events, each once. Newest first by time is served by `timestamp_range`, single hosts and programs by the filters. */
export const eventsTable: Table<EventTableRow> = {
  name: 'events',
  columns,
  indexes: [
    'INDEX timestamp_range timestamp TYPE minmax GRANULARITY 1',
    'INDEX received_range received TYPE minmax GRANULARITY 1',
    'INDEX type_set type TYPE set(8) GRANULARITY 4',
    'INDEX hostname_filter hostname TYPE bloom_filter(0.01) GRANULARITY 1',
    'INDEX procname_filter procname TYPE bloom_filter(0.01) GRANULARITY 1',
    'INDEX file_filter file TYPE bloom_filter(0.01) GRANULARITY 1',
    'INDEX ingest_id_filter ingest_id TYPE bloom_filter(0.001) GRANULARITY 1',
  ],
  // Last resort against a process that writes after the tokens of its block were forgotten: its rows repeat these keys.
  engine: 'ReplacingMergeTree',
  partitionBy: 'landing_day',
  orderBy: '(topic, partition, offset)',
  ttl: retainByReceipt,
  settings: CHAINED_TABLE_SETTINGS,
};
