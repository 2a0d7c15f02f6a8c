import { name } from '../native/low-cardinality.ts';
import { milliseconds, uint64 } from '../native/scalars.ts';
import { column, type Table } from '../table.ts';
import { retainByReceipt } from './landing-day.ts';

export interface RedriveTableRow {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** Time at which the record was sent through the pipeline again. Epoch milliseconds. */
  readonly receivedMs: number;
  /** `landed`, or the code of the new rejection. */
  readonly outcome: string;
}
type Row = RedriveTableRow;

/** Outcomes of redrives. The latest outcome of a dead letter wins. */
export const deadLetterRedrivesTable: Table<Row> = {
  name: 'dead_letter_redrives',
  columns: [
    column('topic', name, (r: Row) => r.topic),
    column('partition', uint64, (r: Row) => r.partition),
    column('offset', uint64, (r: Row) => r.offset),
    column('received', milliseconds, (r: Row) => r.receivedMs),
    column('outcome', name, (r: Row) => r.outcome),
  ],
  ttl: retainByReceipt,
};
