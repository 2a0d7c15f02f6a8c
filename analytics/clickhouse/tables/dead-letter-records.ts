import { CHAINED_TABLE_SETTINGS, type Column, type Table } from '../table.ts';
import { landingDay, retainByReceipt } from './landing-day.ts';

export interface DeadLetterTableRow {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly receivedMs: number;
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly ingestId: string;
  readonly key: Buffer | null;
  readonly raw: Buffer;
}

const columns: readonly Column<DeadLetterTableRow>[] = [
  landingDay,
  { name: 'topic', type: 'LowCardinality(String)', write: (w, r) => w.string(r.topic) },
  { name: 'partition', type: 'UInt64', codec: 'Delta, ZSTD(1)', write: (w, r) => w.uint64(r.partition) },
  { name: 'offset', type: 'UInt64', codec: 'Delta, ZSTD(1)', write: (w, r) => w.uint64(r.offset) },
  {
    name: 'received',
    type: "DateTime64(3, 'UTC')",
    codec: 'Delta, ZSTD(1)',
    write: (w, r) => w.dateTime64Millis(r.receivedMs),
  },
  {
    name: 'code',
    type: 'LowCardinality(String)',
    comment: 'Why it was refused: a code of the catalogue',
    write: (w, r) => w.string(r.code),
  },
  {
    name: 'path',
    type: 'String',
    codec: 'ZSTD(1)',
    comment: 'JSON path of the offending value; $ is the whole record',
    write: (w, r) => w.string(r.path),
  },
  { name: 'message', type: 'String', codec: 'ZSTD(1)', write: (w, r) => w.string(r.message) },
  { name: 'ingest_id', type: 'String', codec: 'ZSTD(1)', write: (w, r) => w.string(r.ingestId) },
  {
    name: 'key',
    type: 'Nullable(String)',
    codec: 'ZSTD(1)',
    comment: "The Kafka record's key, bytes as they came",
    write: (w, r) => w.nullableStringBytes(r.key),
  },
  {
    name: 'raw',
    type: 'String',
    codec: 'ZSTD(1)',
    comment: 'All bytes of the record as they came',
    write: (w, r) => w.stringBytes(r.raw),
  },
];

/** Refused records, each once. The view `dead_letters` adds what became of them. */
export const deadLetterRecordsTable: Table<DeadLetterTableRow> = {
  name: 'dead_letter_records',
  columns,
  indexes: [
    'INDEX received_range received TYPE minmax GRANULARITY 1',
    'INDEX ingest_id_filter ingest_id TYPE bloom_filter(0.001) GRANULARITY 1',
  ],
  engine: 'ReplacingMergeTree',
  partitionBy: 'landing_day',
  orderBy: '(topic, partition, offset)',
  ttl: retainByReceipt,
  settings: CHAINED_TABLE_SETTINGS,
};
