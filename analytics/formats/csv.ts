import type { Detection } from '#schemas/detection.ts';
import type { U64 } from '#schemas/events/event.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { csvNumber, csvText } from './csv-cell.ts';
import { type EventColumns, eventColumns } from './event-columns.ts';
import type { Format } from './format.ts';
import { hexadecimal } from './hexadecimal.ts';
import { millisText } from './millis.ts';
import { rawLine } from './raw-line.ts';
import { rawText } from './raw-text.ts';
import type { DeadLetterRecord, EventRecord, RecordKind } from './record.ts';

type Column<R> = readonly [title: string, cell: (record: R) => string];
type FlatEvent = { readonly record: EventRecord; readonly columns: EventColumns };

const text = (title: keyof EventColumns): Column<FlatEvent> => [title, (r) => csvText(r.columns[title]?.toString())];
const number = (title: 'pid' | 'vmasize' | 'count' | 'uid'): Column<FlatEvent> => [
  title,
  (r) => csvNumber(r.columns[title]),
];
/**
 * An address has two columns: decimal with all digits for programs, and hexadecimal text, because spreadsheets round
 * after 15 digits.
 */
const address = (title: 'ip' | 'sp' | 'location' | 'vmastart'): Column<FlatEvent>[] => [
  [title, (r) => csvNumber(r.columns[title])],
  [`${title}_hex`, (r) => hexadecimalOrEmpty(r.columns[title])],
];
function hexadecimalOrEmpty(value: U64 | null): string {
  return value === null ? '' : hexadecimal(value);
}

/** Named like the columns of the table `events`. The last column, `raw`, is the received event. */
const EVENT_COLUMNS: readonly Column<FlatEvent>[] = [
  ['topic', ({ record }) => csvText(record.identity?.topic)],
  ['partition', ({ record }) => csvNumber(record.identity?.partition)],
  ['offset', ({ record }) => csvNumber(record.identity?.offset)],
  ['received', ({ record }) => (record.received === undefined ? '' : millisText(record.received))],
  ['timestamp', ({ record }) => formatInstant(record.time)],
  ['hostname', ({ record }) => csvText(record.event.hostname)],
  text('type'),
  text('procname'),
  number('pid'),
  ...address('ip'),
  ...address('sp'),
  text('file'),
  ...address('vmastart'),
  number('vmasize'),
  text('trap'),
  ...address('location'),
  text('signal'),
  text('function_name'),
  number('count'),
  text('level'),
  text('facility'),
  text('register'),
  text('message'),
  text('key'),
  text('expected_value'),
  text('observed_value'),
  text('executable'),
  text('build_id'),
  number('uid'),
  text('unit'),
  text('container'),
  text('pod'),
  ['raw', ({ record }) => csvText(rawLine(record.raw))],
];

/** The fields of the detection object. Lists are joined by spaces. `event` is the RegisterProbe event as JSON. */
const DETECTION_COLUMNS: readonly Column<Detection>[] = [
  ['id', (d) => csvText(d.id)],
  ['revision', (d) => csvNumber(d.revision)],
  ['ruleId', (d) => csvText(d.rule.id)],
  ['ruleVersion', (d) => csvNumber(d.rule.version)],
  ['ruleName', (d) => csvText(d.rule.name)],
  ['severity', (d) => csvText(d.severity)],
  ['hostname', (d) => csvText(d.hostname)],
  ['procname', (d) => csvText(d.procname)],
  ['file', (d) => csvText(d.file)],
  ['register', (d) => csvText(d.register)],
  ['firstSeen', (d) => csvText(d.firstSeen)],
  ['lastSeen', (d) => csvText(d.lastSeen)],
  ['crashes', (d) => csvNumber(d.crashes)],
  ['suppressedAtLeast', (d) => csvNumber(d.suppressedAtLeast)],
  ['message', (d) => csvText(d.message)],
  ['values', (d) => csvText(d.values.join(' '))],
  ['valuesTotal', (d) => csvNumber(d.valuesTotal)],
  ['attack', (d) => csvText(d.attack.map((a) => `${a.tactic}/${a.technique}`).join(' '))],
  ['evidenceCount', (d) => csvNumber(d.evidenceCount)],
  ['status', (d) => csvText(d.status)],
  ['verdict', (d) => csvText(d.verdict)],
  ['assignee', (d) => csvText(d.assignee)],
  ['note', (d) => csvText(d.note)],
  ['exception', (d) => csvText(d.exception)],
  ['executable', (d) => csvText(d.executable)],
  ['buildId', (d) => csvText(d.buildId)],
  ['uid', (d) => csvNumber(d.uid)],
  ['parent', (d) => csvText(d.parent)],
  ['unit', (d) => csvText(d.unit)],
  ['container', (d) => csvText(d.container)],
  ['pod', (d) => csvText(d.pod)],
  ['event', (d) => (d.event === null ? '' : csvText(stringifyExact(d.event)))],
  ['hosts', (d) => csvText(d.hosts.join(' '))],
  ['hostsTotal', (d) => csvNumber(d.hostsTotal)],
  ['riskScore', (d) => (d.risk === null ? '' : String(d.risk.score))],
];

/**
 * Returns bytes as a cell. Bytes with a NUL are valid text in JSON but not for CSV readers, so they are encoded as
 * base64 to be restored exactly.
 */
function rawCell(record: DeadLetterRecord): { readonly raw: string; readonly encoding: string } {
  return record.raw.includes(0) ? { raw: record.raw.toString('base64'), encoding: 'base64' } : rawText(record.raw);
}

const DEAD_LETTER_COLUMNS: readonly Column<DeadLetterRecord>[] = [
  ['topic', (r) => csvText(r.identity.topic)],
  ['partition', (r) => csvNumber(r.identity.partition)],
  ['offset', (r) => csvNumber(r.identity.offset)],
  ['received', (r) => millisText(r.received)],
  ['code', (r) => csvText(r.code)],
  ['path', (r) => csvText(r.path)],
  ['message', (r) => csvText(r.message)],
  ['redriven', (r) => csvText(r.redriven)],
  ['rawEncoding', (r) => rawCell(r).encoding],
  ['raw', (r) => csvText(rawCell(r).raw)],
];

const titles = (columns: readonly (readonly [string, ...unknown[]])[]): string =>
  columns.map(([title]) => title).join(',');
const HEADERS: Record<RecordKind, string> = {
  events: titles(EVENT_COLUMNS),
  detections: titles(DETECTION_COLUMNS),
  'dead-letters': titles(DEAD_LETTER_COLUMNS),
};

function row<R>(columns: readonly Column<R>[], record: R): string {
  return columns.map(([, cell]) => cell(record)).join(',');
}

/**
 * RFC 4180 with a header line. Text cells are safe to open in a spreadsheet (see `csv-cell.ts`). Numbers keep all their
 * digits.
 */
export const csv: Format = {
  name: 'csv',
  contentType: 'text/csv; header=present',
  terminator: '\r\n',
  header: (kind) => HEADERS[kind],
  event: (record) => row(EVENT_COLUMNS, { record, columns: eventColumns(record.event.event) }),
  detection: (detection) => row(DETECTION_COLUMNS, detection),
  deadLetter: (record) => row(DEAD_LETTER_COLUMNS, record),
};
