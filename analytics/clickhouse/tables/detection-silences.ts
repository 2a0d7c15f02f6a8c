import { milliseconds, nullableText, text } from '../native/scalars.ts';
import { column, type Table } from '../table.ts';

export interface SilenceTableRow {
  readonly id: string;
  /** Epoch milliseconds; the latest counts. */
  readonly changedMs: number;
  readonly exception: string | null;
}
type Row = SilenceTableRow;

/** Which exception silences a detection since exceptions changed, null for none: over what its revisions said until then. Small, kept for good. */
export const detectionSilencesTable: Table<Row> = {
  name: 'detection_silences',
  columns: [
    column('id', text, (r: Row) => r.id),
    column('changed', milliseconds, (r: Row) => r.changedMs),
    column('exception', nullableText, (r: Row) => r.exception),
  ],
};
