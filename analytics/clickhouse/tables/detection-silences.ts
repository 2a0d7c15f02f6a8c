import { milliseconds, nullableText, text } from '../native/scalars.ts';
import { column, type Table } from '../table.ts';

export interface SilenceTableRow {
  readonly id: string;
  /** Epoch milliseconds; the latest wins. */
  readonly changedMs: number;
  readonly exception: string | null;
}
type Row = SilenceTableRow;

/**
 * The exception that silences a detection after a change of exceptions, or null. It overrides the exception in earlier
 * revisions. Small, and kept forever.
 */
export const detectionSilencesTable: Table<Row> = {
  name: 'detection_silences',
  columns: [
    column('id', text, (r: Row) => r.id),
    column('changed', milliseconds, (r: Row) => r.changedMs),
    column('exception', nullableText, (r: Row) => r.exception),
  ],
};
