import type { Attack, Detection } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import { array, tuple } from '../native/composites.ts';
import { name, nullableName } from '../native/low-cardinality.ts';
import {
  milliseconds,
  nanoseconds,
  nullableFloat64,
  nullableText,
  nullableUint64,
  text,
  uint64,
} from '../native/scalars.ts';
import { column, type Table } from '../table.ts';
import { retainByReceipt } from './landing-day.ts';

export interface DetectionTableRow {
  readonly detection: Detection;
  readonly firstSeen: Instant;
  readonly lastSeen: Instant;
  /** JSON text of `detection.event`. */
  readonly event: string | null;
  readonly receivedMs: number;
}
type Row = DetectionTableRow;

const rule = tuple<{ id: string; version: number; name: string }>({ id: text, version: uint64, name: text });
const attack = tuple<Attack>({ tactic: text, technique: text, name: text });

/**
 * All written revisions of detections. The highest revision wins, whatever order they arrive in. The view `detections`
 * combines it with the decisions of analysts. Not partitioned, because only revisions in one partition can be
 * collapsed.
 */
export const detectionRecordsTable: Table<Row> = {
  name: 'detection_records',
  columns: [
    column('id', text, (r: Row) => r.detection.id),
    column('revision', uint64, (r: Row) => r.detection.revision),
    column('received', milliseconds, (r: Row) => r.receivedMs),
    column('rule', rule, (r: Row) => r.detection.rule),
    column('severity', name, (r: Row) => r.detection.severity),
    column('hostname', nullableName, (r: Row) => r.detection.hostname),
    column('procname', nullableName, (r: Row) => r.detection.procname),
    column('file', nullableName, (r: Row) => r.detection.file),
    column('register', nullableName, (r: Row) => r.detection.register),
    column('executable', nullableName, (r: Row) => r.detection.executable),
    column('buildId', nullableName, (r: Row) => r.detection.buildId),
    column('uid', nullableUint64, (r: Row) => r.detection.uid),
    column('parent', nullableName, (r: Row) => r.detection.parent),
    column('unit', nullableName, (r: Row) => r.detection.unit),
    column('container', nullableName, (r: Row) => r.detection.container),
    column('pod', nullableName, (r: Row) => r.detection.pod),
    column('firstSeen', nanoseconds, (r: Row) => r.firstSeen),
    column('lastSeen', nanoseconds, (r: Row) => r.lastSeen),
    column('crashes', uint64, (r: Row) => r.detection.crashes),
    column('suppressedAtLeast', uint64, (r: Row) => r.detection.suppressedAtLeast),
    column('message', text, (r: Row) => r.detection.message),
    column('values', array(text), (r: Row) => r.detection.values),
    column('valuesTotal', uint64, (r: Row) => r.detection.valuesTotal),
    column('attack', array(attack), (r: Row) => r.detection.attack),
    column('evidenceCount', uint64, (r: Row) => r.detection.evidenceCount),
    column('exception', nullableText, (r: Row) => r.detection.exception),
    column('event', nullableText, (r: Row) => r.event),
    column('hosts', array(text), (r: Row) => r.detection.hosts),
    column('hostsTotal', uint64, (r: Row) => r.detection.hostsTotal),
    column('riskScore', nullableFloat64, (r: Row) => r.detection.risk?.score ?? null),
  ],
  ttl: retainByReceipt,
};
