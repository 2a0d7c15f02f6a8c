import type { Instant } from '#schemas/events/accepted.ts';
import type { EventColumns } from '../../formats/event-columns.ts';
import { name, nullableName } from '../native/low-cardinality.ts';
import { milliseconds, nanoseconds, nullableUint64, text, uint64 } from '../native/scalars.ts';
import { type StoredText, storedTexts } from '../native/stored-text.ts';
import { CHAINED_TABLE_SETTINGS, type ChainedTable, column, fixedColumn } from '../table.ts';
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

const rising = { codec: 'Delta, ZSTD(1)' };
const compressed = { codec: 'ZSTD(1)' };

/** Accepted events, each once. Newest first by time is served by `timestamp_range`, single hosts and programs by the filters. */
export const eventsTable: ChainedTable<Row> = {
  name: 'events',
  partition: landingDay,
  columns: [
    fixedColumn('topic', name, (r: Row) => r.topic, {
      comment: 'Where the record came from; local.* never was in Kafka',
    }),
    fixedColumn('partition', uint64, (r: Row) => r.partition, rising),
    column('offset', uint64, (r: Row) => r.offset, rising),
    fixedColumn('received', milliseconds, (r: Row) => r.receivedMs, {
      ...rising,
      comment: 'When this service took the event in',
    }),
    column('timestamp', nanoseconds, (r: Row) => r.time, {
      ...rising,
      comment: 'When the event occurred, by the detector; digits after the ninth stand in raw only',
    }),
    column('hostname', nullableName, (r: Row) => r.hostname),
    column('type', name, (r: Row) => r.fields.type),
    column('procname', nullableName, (r: Row) => r.fields.procname, { comment: 'Of a fatal signal: Comm of its dump' }),
    column('pid', nullableUint64, (r: Row) => r.fields.pid, compressed),
    column('ip', nullableUint64, (r: Row) => r.fields.ip, {
      ...compressed,
      comment: 'Instruction pointer; of a fatal signal: RIP of its dump',
    }),
    column('sp', nullableUint64, (r: Row) => r.fields.sp, {
      ...compressed,
      comment: 'Stack pointer; of a fatal signal: RSP of its dump',
    }),
    column('file', nullableName, (r: Row) => r.fields.file),
    column('vmastart', nullableUint64, (r: Row) => r.fields.vmastart, compressed),
    column('vmasize', nullableUint64, (r: Row) => r.fields.vmasize, compressed),
    column('trap', nullableName, (r: Row) => r.trap, {
      comment: 'Segfault, InvalidOpcode, GeneralProtectionFault, or the description of a generic one',
    }),
    column('location', nullableUint64, (r: Row) => r.fields.location, {
      ...compressed,
      comment: 'Address a segfault touched',
    }),
    column('signal', nullableName, (r: Row) => r.fields.signal),
    column('function_name', nullableName, (r: Row) => r.fields.function_name),
    column('count', nullableUint64, (r: Row) => r.fields.count, compressed),
    column('level', nullableName, (r: Row) => r.fields.level),
    column('facility', nullableName, (r: Row) => r.fields.facility),
    column('register', nullableName, (r: Row) => r.fields.register, { comment: 'Of a RegisterProbe' }),
    column('ingest_id', text, (r: Row) => r.ingestId, {
      ...compressed,
      comment: 'Chosen by the sender; empty when none was',
    }),
    column('raw', storedTexts, (r: Row) => r.raw, { ...compressed, comment: 'The JSON text of the event as it came' }),
  ],
  indexes: [
    'INDEX timestamp_range timestamp TYPE minmax GRANULARITY 1',
    'INDEX received_range received TYPE minmax GRANULARITY 1',
    'INDEX type_set type TYPE set(8) GRANULARITY 8',
    'INDEX hostname_filter hostname TYPE bloom_filter(0.01) GRANULARITY 8',
    'INDEX procname_filter procname TYPE bloom_filter(0.01) GRANULARITY 8',
    'INDEX file_filter file TYPE bloom_filter(0.01) GRANULARITY 8',
    'INDEX ingest_id_filter ingest_id TYPE bloom_filter(0.001) GRANULARITY 8',
  ],
  // Last resort against a process that writes after the tokens of its block were forgotten: its rows repeat these keys.
  engine: 'ReplacingMergeTree',
  orderBy: '(topic, partition, offset)',
  ttl: retainByReceipt,
  settings: {
    ...CHAINED_TABLE_SETTINGS,
    // A list reads `raw` of rows that lie far apart: eight times less of it has to be unpacked for each than by default.
    index_granularity: 1024,
    // A block that lands is a part of one file; only merged ones, which last, have files for each column. Making a hundred files for each
    // block, and having them on the disk, cost the server a quarter of the insert.
    min_bytes_for_wide_part: 32 * 1024 * 1024,
  },
};
