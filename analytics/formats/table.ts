import type { Detection } from '#schemas/detection.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import { recordId } from '#schemas/record-id.ts';
import { eventColumns } from './event-columns.ts';
import { eventMessage } from './event-message.ts';
import type { Format } from './format.ts';
import { millisText } from './millis.ts';
import { rawText } from './raw-text.ts';
import type { DeadLetterRecord, EventRecord } from './record.ts';
import { type TableColumn, tableLayout } from './table-layout.ts';

/** Formats a time to the second, which is easy to compare. */
const second = (rfc3339: string): string => rfc3339.slice(0, 19).replace('T', ' ');

const EVENTS: readonly TableColumn<EventRecord>[] = [
  { title: 'TIME (UTC)', min: 19, preferred: 19, cell: (r) => second(formatInstant(r.time)) },
  { title: 'HOST', min: 8, preferred: 20, leaveOut: 1, cell: (r) => r.event.hostname ?? '-' },
  { title: 'TYPE', min: 23, preferred: 23, leaveOut: 2, cell: (r) => r.event.event.type },
  {
    title: 'EVENT',
    min: 12,
    preferred: 60,
    takesRest: true,
    cell: (r) => eventMessage(r.event.event, eventColumns(r.event.event)),
  },
];

const DETECTIONS: readonly TableColumn<Detection>[] = [
  { title: 'SEVERITY', min: 8, preferred: 8, leaveOut: 0, cell: (d) => d.severity },
  { title: 'RULE', min: 25, preferred: 25, cell: (d) => d.rule.id },
  { title: 'HOST', min: 6, preferred: 16, leaveOut: 1, cell: (d) => d.hostname ?? '-' },
  { title: 'PROGRAM', min: 8, preferred: 15, cell: (d) => d.procname ?? '-' },
  { title: 'FIRST SEEN (UTC)', min: 19, preferred: 19, leaveOut: 3, cell: (d) => second(d.firstSeen) },
  { title: 'CRASHES', min: 8, preferred: 8, align: 'right', leaveOut: 2, cell: (d) => String(d.crashes) },
  {
    title: 'UNLOGGED',
    min: 9,
    preferred: 9,
    align: 'right',
    leaveOut: 4,
    cell: (d) => (d.suppressedAtLeast ? `≥${d.suppressedAtLeast}` : '-'),
  },
  { title: 'STATUS', min: 12, preferred: 12, leaveOut: 6, cell: (d) => d.status },
  { title: 'ID', min: 36, preferred: 36, leaveOut: 7, cell: (d) => d.id },
  { title: 'MESSAGE', min: 36, preferred: 60, takesRest: true, leaveOut: 5, cell: (d) => d.message },
];

const DEAD_LETTERS: readonly TableColumn<DeadLetterRecord>[] = [
  { title: 'RECEIVED (UTC)', min: 19, preferred: 19, leaveOut: 1, cell: (r) => second(millisText(r.received)) },
  {
    title: 'ID',
    min: 16,
    preferred: 28,
    cell: (r) => recordId(r.identity),
  },
  { title: 'CODE', min: 16, preferred: 22, cell: (r) => r.code },
  { title: 'PATH', min: 8, preferred: 24, leaveOut: 2, cell: (r) => r.path },
  { title: 'RETRIED', min: 19, preferred: 19, leaveOut: 4, cell: (r) => (r.redriven ? second(r.redriven) : '-') },
  { title: 'RAW', min: 20, preferred: 60, takesRest: true, leaveOut: 3, cell: deadLetterRaw },
];

/** Decodes only the beginning, because a line of a table cannot show more. Decoding megabytes would be wasteful. */
function deadLetterRaw(record: DeadLetterRecord): string {
  const { raw, encoding } = rawText(
    record.raw.length > 512 ? trimToCharacter(record.raw.subarray(0, 512)) : record.raw,
  );
  return encoding === 'utf8' ? raw : `base64:${raw}`;
}

/** Removes a truncated character from the end: at most three continuation bytes and their lead byte. */
function trimToCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= 4; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
  }
  return bytes;
}

/**
 * Creates a table for a terminal `width` columns wide. No content of a record can move the cursor, change colours or
 * break a line.
 */
export function createTable(width: number): Format {
  const events = tableLayout(EVENTS, width);
  const detections = tableLayout(DETECTIONS, width);
  const deadLetters = tableLayout(DEAD_LETTERS, width);
  const headers = { events: events.header, detections: detections.header, 'dead-letters': deadLetters.header };
  return {
    name: 'table',
    contentType: 'text/plain',
    terminator: '\n',
    header: (kind) => headers[kind],
    event: events.row,
    detection: detections.row,
    deadLetter: deadLetters.row,
  };
}
