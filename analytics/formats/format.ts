import type { Detection } from '#schemas/detection.ts';
import type { DeadLetterRecord, EventRecord, RecordKind } from './record.ts';

export const FORMAT_NAMES = ['table', 'json', 'ndjson', 'csv', 'v1', 'cef', 'ecs', 'ocsf'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/**
 * Writes records as text, one by one, so that memory does not grow with their number. The returned text never contains
 * the terminator outside a quoted CSV cell. The caller writes the terminator after every text, including header and
 * trailer. A missing method means that the format does not support this kind of record. `undefined` from a method means
 * that this record has no such form.
 */
export interface Format {
  readonly name: FormatName;
  /** Without the charset, which is always UTF-8. */
  readonly contentType: string;
  readonly terminator: '\n' | '\r\n';
  header?(kind: RecordKind): string;
  event?(record: EventRecord): string;
  detection?(detection: Detection): string | undefined;
  deadLetter?(record: DeadLetterRecord): string;
  trailer?(kind: RecordKind): string;
}
