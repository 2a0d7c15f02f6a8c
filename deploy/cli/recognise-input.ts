/** What a file for `analyze` can hold. */
export const INPUT_KINDS = ['kmsg', 'v1'] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

/** Members that `journalctl -o json` writes and no V1 event has at its top. */
const JOURNAL_MEMBERS = ['MESSAGE', '__REALTIME_TIMESTAMP', '__MONOTONIC_TIMESTAMP', '_TRANSPORT'];

/** What a line with anything on it belongs to: a JSON object that is no journal entry is an event; all else is a kernel log. */
export function recogniseInput(line: string): InputKind {
  const text = line.replace(/^\ufeff/, '').trim();
  if (!text.startsWith('{')) return 'kmsg';
  try {
    const entry: unknown = JSON.parse(text);
    return JOURNAL_MEMBERS.some((member) => Object.hasOwn(entry as object, member)) ? 'kmsg' : 'v1';
  } catch {
    // A broken event must be reported as a broken event, not skipped as a line of some log.
    return 'v1';
  }
}
