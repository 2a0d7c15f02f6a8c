import type { Detection } from '#schemas/detection.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { recordId } from '#schemas/record-id.ts';
import { eventColumns } from './event-columns.ts';
import type { Format } from './format.ts';
import { hexadecimal } from './hexadecimal.ts';
import { millisText } from './millis.ts';
import { rawLine } from './raw-line.ts';
import { rawText } from './raw-text.ts';
import type { DeadLetterRecord, EventRecord } from './record.ts';

/** Addresses of an event, which are also written as strings: browsers round JSON integers above 2^53. */
const ADDRESSES = ['ip', 'sp', 'location', 'vmastart'] as const;

/**
 * Returns `{id, topic, partition, offset, received, time, hex, event}`. `event` is the received V1 text with all digits
 * and unknown fields. `time` is its instant in UTC. `hex` contains its addresses as hexadecimal strings. Origin and
 * receipt are only present if known.
 */
function eventJson(record: EventRecord): string {
  const columns = eventColumns(record.event.event);
  const hex: Record<string, string> = {};
  for (const name of ADDRESSES) {
    const value = columns[name];
    if (value !== null) hex[name] = hexadecimal(value);
  }
  const around = JSON.stringify({
    ...(record.identity === undefined ? {} : { id: recordId(record.identity), ...record.identity }),
    ...(record.received === undefined ? {} : { received: millisText(record.received) }),
    time: formatInstant(record.time),
    hex,
  });
  return `${around.slice(0, -1)},"event":${rawLine(record.raw)}}`;
}

/**
 * Returns `{id, topic, partition, offset, received, code, path, message, redriven, raw, rawEncoding}`. `rawEncoding` is
 * `utf8`, or `base64` for bytes that are no valid text.
 */
function deadLetterJson(record: DeadLetterRecord): string {
  const { raw, encoding } = rawText(record.raw);
  return JSON.stringify({
    id: recordId(record.identity),
    ...record.identity,
    received: millisText(record.received),
    code: record.code,
    path: record.path,
    message: record.message,
    redriven: record.redriven ?? null,
    raw,
    rawEncoding: encoding,
  });
}

const records = {
  terminator: '\n',
  event: eventJson,
  detection: (detection: Detection) => stringifyExact(detection),
  deadLetter: deadLetterJson,
} as const;

/** One object per line. */
export const ndjson: Format = { name: 'ndjson', contentType: 'application/x-ndjson', ...records };

/** The same objects. The caller writes what encloses them: an envelope with a cursor, an array, or lines. */
export const json: Format = { name: 'json', contentType: 'application/json', ...records };
