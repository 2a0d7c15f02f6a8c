import { lineOfRecord } from '#ingest/detector/lines/entries/record-line.ts';

/** What a file for `analyze` can hold. */
export const INPUT_KINDS = ['kmsg', 'v1'] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

/** Members that `journalctl -o json` writes and no V1 event has at its top. */
const JOURNAL_MEMBERS = ['MESSAGE', '__REALTIME_TIMESTAMP', '__MONOTONIC_TIMESTAMP', '_TRANSPORT'];

/** The first line of formatted JSON, such as `journalctl -o json-pretty` prints, or of a list of entries. An event is one line. */
const DOCUMENT = /^\{(?:\s*"[A-Za-z_]{1,64}"\s*:\s*\[)?$/;

/** An event names its format, whatever else it has. */
const isEvent = ({ version }: { version?: unknown }): boolean => typeof version === 'string' && /^V\d/i.test(version);

/** What a line with anything on it belongs to: a JSON object that is no entry of the journal or of a log collector is an event; all else is a kernel log. */
export function recogniseInput(line: string): InputKind {
  const text = line.replace(/^\ufeff/, '').trim();
  if (!text.startsWith('{') || DOCUMENT.test(text)) return 'kmsg';
  try {
    const entry: unknown = JSON.parse(text);
    if (JOURNAL_MEMBERS.some((member) => Object.hasOwn(entry as object, member))) return 'kmsg';
    return isEvent(entry as object) || lineOfRecord(text) === text ? 'v1' : 'kmsg';
  } catch {
    // A broken event must be reported as a broken event, not skipped as a line of some log.
    return 'v1';
  }
}
