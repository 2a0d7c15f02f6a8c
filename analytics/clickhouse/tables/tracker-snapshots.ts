import { name } from '../native/low-cardinality.ts';
import { milliseconds, text, uint64 } from '../native/scalars.ts';
import { column, type Table } from '../table.ts';
import { retainByReceipt } from './landing-day.ts';

export interface SnapshotTableRow {
  readonly topic: string;
  readonly partition: number;
  /** Offset of the last event in the state. */
  readonly offset: number;
  /** Id of one save. Two processes may save at the same offset. */
  readonly snapshot: string;
  readonly chunk: number;
  readonly chunks: number;
  readonly receivedMs: number;
  readonly data: string;
}
type Row = SnapshotTableRow;

/**
 * Tracker states of lanes. Each snapshot is a separate table partition, so that a superseded one can be dropped without
 * cost.
 */
export const trackerSnapshotsTable: Table<Row> = {
  name: 'tracker_snapshots',
  columns: [
    column('topic', name, (r: Row) => r.topic),
    column('partition', uint64, (r: Row) => r.partition),
    column('offset', uint64, (r: Row) => r.offset),
    column('snapshot', text, (r: Row) => r.snapshot),
    column('chunk', uint64, (r: Row) => r.chunk),
    column('chunks', uint64, (r: Row) => r.chunks),
    column('received', milliseconds, (r: Row) => r.receivedMs),
    column('data', text, (r: Row) => r.data),
  ],
  ttl: retainByReceipt,
};
