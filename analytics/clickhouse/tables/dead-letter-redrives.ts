import type { Column, Table } from '../table.ts';
import { retainByReceipt } from './landing-day.ts';

export interface RedriveTableRow {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** When the record was sent through the pipeline again. Epoch milliseconds. */
  readonly receivedMs: number;
  /** `landed`, or the code for which it was refused again. */
  readonly outcome: string;
}

const columns: readonly Column<RedriveTableRow>[] = [
  { name: 'topic', type: 'LowCardinality(String)', write: (w, r) => w.string(r.topic) },
  { name: 'partition', type: 'UInt64', write: (w, r) => w.uint64(r.partition) },
  { name: 'offset', type: 'UInt64', write: (w, r) => w.uint64(r.offset) },
  {
    name: 'received',
    type: "DateTime64(3, 'UTC')",
    comment: 'When it was sent through again',
    write: (w, r) => w.dateTime64Millis(r.receivedMs),
  },
  {
    name: 'outcome',
    type: 'LowCardinality(String)',
    comment: 'landed, or the code for which it was refused again',
    write: (w, r) => w.string(r.outcome),
  },
];

/** What became of dead letters that were sent through again: the latest try counts. */
export const deadLetterRedrivesTable: Table<RedriveTableRow> = {
  name: 'dead_letter_redrives',
  columns,
  engine: 'ReplacingMergeTree(received)',
  orderBy: '(topic, partition, offset)',
  ttl: retainByReceipt,
};
