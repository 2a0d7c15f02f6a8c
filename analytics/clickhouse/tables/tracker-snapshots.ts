import type { Column, Table } from '../table.ts';
import { retainByReceipt } from './landing-day.ts';

export interface SnapshotTableRow {
  readonly topic: string;
  readonly partition: number;
  /** Offset of the last event the state has seen. */
  readonly offset: number;
  /** Of one saving: two processes may save at the same offset. */
  readonly snapshot: string;
  readonly chunk: number;
  readonly chunks: number;
  readonly receivedMs: number;
  readonly data: string;
}

const columns: readonly Column<SnapshotTableRow>[] = [
  { name: 'topic', type: 'LowCardinality(String)', write: (w, r) => w.string(r.topic) },
  { name: 'partition', type: 'UInt64', write: (w, r) => w.uint64(r.partition) },
  { name: 'offset', type: 'UInt64', write: (w, r) => w.uint64(r.offset) },
  { name: 'snapshot', type: 'String', write: (w, r) => w.string(r.snapshot) },
  { name: 'chunk', type: 'UInt64', write: (w, r) => w.uint64(r.chunk) },
  { name: 'chunks', type: 'UInt64', write: (w, r) => w.uint64(r.chunks) },
  { name: 'received', type: "DateTime64(3, 'UTC')", write: (w, r) => w.dateTime64Millis(r.receivedMs) },
  { name: 'data', type: 'String', codec: 'ZSTD(1)', write: (w, r) => w.string(r.data) },
];

/** States of lanes' trackers. One table partition each, so that a superseded one is dropped for nothing. */
export const trackerSnapshotsTable: Table<SnapshotTableRow> = {
  name: 'tracker_snapshots',
  columns,
  engine: 'MergeTree',
  partitionBy: '(topic, partition, offset)',
  orderBy: '(topic, partition, offset, snapshot, chunk)',
  ttl: retainByReceipt,
};
