import type { Detection } from '#schemas/detection.ts';
import type { DeadLetterRecord, EventRecord, RecordKind } from './record.ts';

export const FORMAT_NAMES = ['table', 'json', 'ndjson', 'csv', 'v1', 'cef', 'ecs', 'ocsf'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/**
 * A way of writing records as text, one by one, so that a million of them need no more memory than one. What is returned never
 * contains the terminator outside of a quoted CSV cell; the caller writes it after every text, header and trailer included.
 * A missing method means: this kind of record has no such form. `undefined` from a method means: this record has none.
 */
export interface Format {
  readonly name: FormatName;
  /** Without the charset, which is UTF-8 for all of them. */
  readonly contentType: string;
  readonly terminator: '\n' | '\r\n';
  header?(kind: RecordKind): string;
  event?(record: EventRecord): string;
  detection?(detection: Detection): string | undefined;
  deadLetter?(record: DeadLetterRecord): string;
  trailer?(kind: RecordKind): string;
}
