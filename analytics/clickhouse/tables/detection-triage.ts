import type { Detection } from '#schemas/detection.ts';
import type { Column, Table } from '../table.ts';

export interface TriageTableRow {
  readonly id: string;
  /** Epoch milliseconds; the latest counts. */
  readonly changedMs: number;
  readonly status: Detection['status'];
  readonly verdict: Detection['verdict'];
  readonly assignee: string | null;
  readonly note: string | null;
}

const columns: readonly Column<TriageTableRow>[] = [
  { name: 'id', type: 'String', write: (w, r) => w.string(r.id) },
  { name: 'changed', type: "DateTime64(3, 'UTC')", write: (w, r) => w.dateTime64Millis(r.changedMs) },
  { name: 'status', type: 'LowCardinality(String)', write: (w, r) => w.string(r.status) },
  { name: 'verdict', type: 'LowCardinality(Nullable(String))', write: (w, r) => w.nullableString(r.verdict) },
  { name: 'assignee', type: 'Nullable(String)', write: (w, r) => w.nullableString(r.assignee) },
  { name: 'note', type: 'Nullable(String)', write: (w, r) => w.nullableString(r.note) },
];

/** What analysts decided about detections. Kept for good: it is small, and a detection that is replayed finds it again by its id. */
export const detectionTriageTable: Table<TriageTableRow> = {
  name: 'detection_triage',
  columns,
  engine: 'ReplacingMergeTree(changed)',
  orderBy: 'id',
};
