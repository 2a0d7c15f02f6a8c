import { milliseconds, text, uint64 } from '../native/scalars.ts';
import { column, type Table } from '../table.ts';

export interface DetectionTraceRow {
  readonly id: string;
  readonly revision: number;
  readonly receivedMs: number;
  /** See `storedTrace`. */
  readonly trace: string;
}
type Row = DetectionTraceRow;

/** Trace contexts of revisions with a recorded trace. Kept for a week: after that, no reader continues the trace. */
export const detectionTracesTable: Table<Row> = {
  name: 'detection_traces',
  columns: [
    column('id', text, (r: Row) => r.id),
    column('revision', uint64, (r: Row) => r.revision),
    column('received', milliseconds, (r: Row) => r.receivedMs),
    column('trace', text, (r: Row) => r.trace),
  ],
};
