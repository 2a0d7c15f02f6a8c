import type { Detection } from '#schemas/detection.ts';
import { name, nullableName } from '../native/low-cardinality.ts';
import { milliseconds, nullableText, text } from '../native/scalars.ts';
import { column, type Table } from '../table.ts';

export interface TriageTableRow {
  readonly id: string;
  /** Epoch milliseconds; the latest wins. */
  readonly changedMs: number;
  readonly status: Detection['status'];
  readonly verdict: Detection['verdict'];
  readonly assignee: string | null;
  readonly note: string | null;
}
type Row = TriageTableRow;

/**
 * Decisions of analysts about detections. Kept forever: the table is small, and a replayed detection finds its decision
 * by id.
 */
export const detectionTriageTable: Table<Row> = {
  name: 'detection_triage',
  columns: [
    column('id', text, (r: Row) => r.id),
    column('changed', milliseconds, (r: Row) => r.changedMs),
    column('status', name, (r: Row) => r.status),
    column('verdict', nullableName, (r: Row) => r.verdict),
    column('assignee', nullableText, (r: Row) => r.assignee),
    column('note', nullableText, (r: Row) => r.note),
  ],
};
