import { name } from '../native/low-cardinality.ts';
import { milliseconds, nullableBlob, text, uint64 } from '../native/scalars.ts';
import { type StoredText, storedTexts } from '../native/stored-text.ts';
import { CHAINED_TABLE_SETTINGS, type ChainedTable, column, fixedColumn } from '../table.ts';
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
  readonly raw: StoredText | Buffer;
}
type Row = DeadLetterTableRow;

const rising = { codec: 'Delta, ZSTD(1)' };
const compressed = { codec: 'ZSTD(1)' };

/** Refused records, each once. The view `dead_letters` adds what became of them. */
export const deadLetterRecordsTable: ChainedTable<Row> = {
  name: 'dead_letter_records',
  partition: landingDay,
  columns: [
    fixedColumn('topic', name, (r: Row) => r.topic),
    fixedColumn('partition', uint64, (r: Row) => r.partition, rising),
    column('offset', uint64, (r: Row) => r.offset, rising),
    fixedColumn('received', milliseconds, (r: Row) => r.receivedMs, rising),
    column('code', name, (r: Row) => r.code, { comment: 'Why it was refused: a code of the catalogue' }),
    column('path', text, (r: Row) => r.path, {
      ...compressed,
      comment: 'JSON path of the offending value; $ is the whole record',
    }),
    column('message', text, (r: Row) => r.message, compressed),
    column('ingest_id', text, (r: Row) => r.ingestId, compressed),
    column('key', nullableBlob, (r: Row) => r.key, {
      ...compressed,
      comment: 'Key of the Kafka record, bytes as they came',
    }),
    column('raw', storedTexts, (r: Row) => r.raw, { ...compressed, comment: 'All bytes of the record as they came' }),
  ],
  indexes: [
    'INDEX received_range received TYPE minmax GRANULARITY 1',
    'INDEX ingest_id_filter ingest_id TYPE bloom_filter(0.001) GRANULARITY 1',
  ],
  engine: 'ReplacingMergeTree',
  orderBy: '(topic, partition, offset)',
  ttl: retainByReceipt,
  settings: CHAINED_TABLE_SETTINGS,
};
