import { name } from '../native/low-cardinality.ts';
import { milliseconds, nullableBlob, text, uint64 } from '../native/scalars.ts';
import { type StoredText, storedTexts } from '../native/stored-text.ts';
import { type ChainedTable, column, fixedColumn } from '../table.ts';
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

/** Rejected records, each once. The view `dead_letters` adds the outcome of redrives. */
export const deadLetterRecordsTable: ChainedTable<Row> = {
  name: 'dead_letter_records',
  partition: landingDay,
  columns: [
    fixedColumn('topic', name, (r: Row) => r.topic),
    fixedColumn('partition', uint64, (r: Row) => r.partition),
    column('offset', uint64, (r: Row) => r.offset),
    fixedColumn('received', milliseconds, (r: Row) => r.receivedMs),
    column('code', name, (r: Row) => r.code),
    column('path', text, (r: Row) => r.path),
    column('message', text, (r: Row) => r.message),
    column('ingest_id', text, (r: Row) => r.ingestId),
    column('key', nullableBlob, (r: Row) => r.key),
    column('raw', storedTexts, (r: Row) => r.raw),
  ],
  ttl: retainByReceipt,
};
