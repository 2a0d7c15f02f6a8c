import { lineOfRecord } from '#ingest/detector/lines/entries/record-line.ts';

/** Input formats of `analyze`. */
export const INPUT_KINDS = ['kmsg', 'v1'] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

/** Members that `journalctl -o json` writes and that no V1 event has at its top level. */
const JOURNAL_MEMBERS = ['MESSAGE', '__REALTIME_TIMESTAMP', '__MONOTONIC_TIMESTAMP', '_TRANSPORT'];

/**
 * First line of formatted JSON, such as from `journalctl -o json-pretty`, or of a JSON array of entries. An event is on
 * one line.
 */
const DOCUMENT = /^\{(?:\s*"[A-Za-z_]{1,64}"\s*:\s*\[)?$/;

/** Every event has a version. */
const isEvent = ({ version }: { version?: unknown }): boolean => typeof version === 'string' && /^V\d/i.test(version);

/**
 * Returns the format of the input from a non-blank line. A JSON object that is not an entry of the journal or of a log
 * collector is an event; anything else is a kernel log.
 */
export function recogniseInput(line: string): InputKind {
  const text = line.replace(/^\ufeff/, '').trim();
  if (!text.startsWith('{') || DOCUMENT.test(text)) return 'kmsg';
  try {
    const entry: unknown = JSON.parse(text);
    if (JOURNAL_MEMBERS.some((member) => Object.hasOwn(entry as object, member))) return 'kmsg';
    return isEvent(entry as object) || lineOfRecord(text) === text ? 'v1' : 'kmsg';
  } catch {
    // A malformed event must be reported as such, not skipped as a log line.
    return 'v1';
  }
}
