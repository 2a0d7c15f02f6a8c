import type { Detection } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import type { RowBinaryWriter } from '../row-binary.ts';
import type { Column, Table } from '../table.ts';
import { retainByReceipt } from './landing-day.ts';

export interface DetectionTableRow {
  readonly detection: Detection;
  readonly firstSeen: Instant;
  readonly lastSeen: Instant;
  /** JSON text of `detection.event`. */
  readonly event: string | null;
  readonly receivedMs: number;
}

const NAME = 'LowCardinality(Nullable(String))';
const TIME = "DateTime64(9, 'UTC')";

function writeString(w: RowBinaryWriter, value: string): void {
  w.string(value);
}

const columns: readonly Column<DetectionTableRow>[] = [
  { name: 'id', type: 'String', write: (w, r) => w.string(r.detection.id) },
  { name: 'revision', type: 'UInt64', write: (w, r) => w.uint64(r.detection.revision) },
  {
    name: 'received',
    type: "DateTime64(3, 'UTC')",
    comment: 'When this revision was written',
    write: (w, r) => w.dateTime64Millis(r.receivedMs),
  },
  {
    name: 'rule',
    type: 'Tuple(id LowCardinality(String), version UInt64, name LowCardinality(String))',
    write: (w, { detection: { rule } }) => {
      w.string(rule.id);
      w.uint64(rule.version);
      w.string(rule.name);
    },
  },
  { name: 'severity', type: 'LowCardinality(String)', write: (w, r) => w.string(r.detection.severity) },
  { name: 'hostname', type: NAME, write: (w, r) => w.nullableString(r.detection.hostname) },
  { name: 'procname', type: NAME, write: (w, r) => w.nullableString(r.detection.procname) },
  { name: 'file', type: NAME, write: (w, r) => w.nullableString(r.detection.file) },
  { name: 'register', type: NAME, write: (w, r) => w.nullableString(r.detection.register) },
  { name: 'firstSeen', type: TIME, write: (w, r) => w.dateTime64Nanos(r.firstSeen.seconds, r.firstSeen.nanos) },
  { name: 'lastSeen', type: TIME, write: (w, r) => w.dateTime64Nanos(r.lastSeen.seconds, r.lastSeen.nanos) },
  { name: 'crashes', type: 'UInt64', write: (w, r) => w.uint64(r.detection.crashes) },
  { name: 'suppressedAtLeast', type: 'UInt64', write: (w, r) => w.uint64(r.detection.suppressedAtLeast) },
  { name: 'message', type: 'String', codec: 'ZSTD(1)', write: (w, r) => w.string(r.detection.message) },
  {
    name: 'values',
    type: 'Array(String)',
    codec: 'ZSTD(1)',
    write: (w, r) => w.array(r.detection.values, writeString),
  },
  { name: 'valuesTotal', type: 'UInt64', write: (w, r) => w.uint64(r.detection.valuesTotal) },
  {
    name: 'attack',
    type: 'Array(Tuple(tactic LowCardinality(String), technique LowCardinality(String), name LowCardinality(String)))',
    write: (w, r) =>
      w.array(r.detection.attack, (writer, { tactic, technique, name }) => {
        writer.string(tactic);
        writer.string(technique);
        writer.string(name);
      }),
  },
  { name: 'evidenceCount', type: 'UInt64', write: (w, r) => w.uint64(r.detection.evidenceCount) },
  {
    name: 'exception',
    type: 'Nullable(String)',
    comment: 'Id of the exception that silences it',
    write: (w, r) => w.nullableString(r.detection.exception),
  },
  {
    name: 'event',
    type: 'Nullable(String)',
    codec: 'ZSTD(1)',
    comment: 'JSON text of the V1 RegisterProbe event',
    write: (w, r) => w.nullableString(r.event),
  },
];

/**
 * Every revision of a detection that was written; the highest is what counts, whatever order they come in. The view `detections` shows it with
 * what analysts decided. Not partitioned: revisions of one id must meet to be collapsed.
 */
export const detectionRevisionsTable: Table<DetectionTableRow> = {
  name: 'detection_revisions',
  columns,
  engine: 'ReplacingMergeTree(revision)',
  orderBy: 'id',
  ttl: retainByReceipt,
};
