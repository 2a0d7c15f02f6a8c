import type { Attack, Detection } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import { array, tuple } from '../native/composites.ts';
import { name, nullableName } from '../native/low-cardinality.ts';
import { milliseconds, nanoseconds, nullableText, text, uint64 } from '../native/scalars.ts';
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

const json = (column: string): string => `ifNull(toJSONString(${column}), 'null')`;
/** As the API writes times, whatever the session that inserts says about them. */
const time = (column: string): string =>
  `concat('"', replaceOne(substring(toString(${column}), 1, 29), ' ', 'T'), 'Z"')`;
const members = (of: Readonly<Record<string, string>>): string =>
  `concat('{', ${Object.entries(of)
    .map(([member, value]) => `'"${member}":', ${value}`)
    .join(", ',', ")}, '}')`;

/**
 * All of a row that a detection object has, but for what analysts decide and which exception silences it, as JSON; `event` is text in it. A list reads
 * this one column of rows that lie far apart, where it read twenty: each costs the server another block to unpack for every row.
 */
const OBJECT = members({
  id: json('id'),
  revision: 'toString(revision)',
  rule: members({ id: json('rule.id'), version: 'toString(rule.version)', name: json('rule.name') }),
  severity: json('severity'),
  hostname: json('hostname'),
  procname: json('procname'),
  file: json('file'),
  register: json('register'),
  firstSeen: time('firstSeen'),
  lastSeen: time('lastSeen'),
  crashes: 'toString(crashes)',
  suppressedAtLeast: 'toString(suppressedAtLeast)',
  message: json('message'),
  values: json('values'),
  valuesTotal: 'toString(valuesTotal)',
  attack: `concat('[', arrayStringConcat(arrayMap(one -> ${members({
    tactic: json('one.tactic'),
    technique: json('one.technique'),
    name: json('one.name'),
  })}, attack), ','), ']')`,
  evidenceCount: 'toString(evidenceCount)',
  event: json('event'),
});

const rule = tuple<{ id: string; version: number; name: string }>({ id: text, version: uint64, name: text });
const attack = tuple<Attack>({ tactic: text, technique: text, name: text });
const compressed = { codec: 'ZSTD(1)' };

/**
 * Every revision of a detection that was written; the highest is what counts, whatever order they come in. The view `detections` shows it with
 * what analysts decided. Not partitioned: revisions of one id must meet to be collapsed.
 */
export const detectionRecordsTable: Table<Row> = {
  name: 'detection_records',
  columns: [
    column('id', text, (r: Row) => r.detection.id),
    column('revision', uint64, (r: Row) => r.detection.revision),
    column('received', milliseconds, (r: Row) => r.receivedMs, { comment: 'When this revision was written' }),
    column('rule', rule, (r: Row) => r.detection.rule),
    column('severity', name, (r: Row) => r.detection.severity),
    column('hostname', nullableName, (r: Row) => r.detection.hostname),
    column('procname', nullableName, (r: Row) => r.detection.procname),
    column('file', nullableName, (r: Row) => r.detection.file),
    column('register', nullableName, (r: Row) => r.detection.register),
    column('firstSeen', nanoseconds, (r: Row) => r.firstSeen),
    column('lastSeen', nanoseconds, (r: Row) => r.lastSeen),
    column('crashes', uint64, (r: Row) => r.detection.crashes),
    column('suppressedAtLeast', uint64, (r: Row) => r.detection.suppressedAtLeast),
    column('message', text, (r: Row) => r.detection.message, compressed),
    column('values', array(text), (r: Row) => r.detection.values, compressed),
    column('valuesTotal', uint64, (r: Row) => r.detection.valuesTotal),
    column('attack', array(attack), (r: Row) => r.detection.attack),
    column('evidenceCount', uint64, (r: Row) => r.detection.evidenceCount),
    column('exception', nullableText, (r: Row) => r.detection.exception, {
      comment: 'Id of the exception that silences it',
    }),
    column('event', nullableText, (r: Row) => r.event, {
      ...compressed,
      comment: 'JSON text of the V1 RegisterProbe event',
    }),
  ],
  computed: [`object String MATERIALIZED ${OBJECT} CODEC(ZSTD(1))`],
  engine: 'ReplacingMergeTree(revision)',
  orderBy: 'id',
  ttl: retainByReceipt,
  // The rows of a page lie far apart: of each, little that lies around it is to be read and unpacked.
  settings: { index_granularity: 64, min_compress_block_size: 16_384 },
};
