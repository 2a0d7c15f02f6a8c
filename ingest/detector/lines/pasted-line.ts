/**
 * Possible starts of a kernel log line: its uptime, a syslog or ISO 8601 time with the kernel's tag, `dmesg -T`, or a
 * decoded priority.
 */
const BEGINNING = [
  String.raw`\[ *\d{1,9}\.\d{6}\] `,
  String.raw`\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\] `,
  String.raw`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})? (?:\S{1,255} )?kernel: `,
  String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S{0,20} (?:\S{1,255} )?kernel: `,
  'kern *:[a-z]{3,6} *: ',
].join('|');

/** Prefixes that users and programs add to quoted lines. */
const PREFIXES = [
  // Quotation marks in mails and forums.
  '(?:> ?){1,8}',
  // Line numbers of `cat -n`, `grep -n` and editors.
  String.raw`\s{0,8}\d{1,9}(?:\t|: ?| \| |  )`,
  // `grep` over several files, with or without line numbers.
  String.raw`[\w./~+-]{1,255}:(?:\d{1,9}:)?`,
  // Containers: `docker compose logs`, `kubectl logs --prefix`, and the time of `--timestamps`.
  String.raw`[\w.-]{1,64} +\| `,
  String.raw`\[pod/[\w./-]{1,512}\] `,
  String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z `,
  // Lists and code in Markdown.
  '(?:[-*+] )?`?',
  String.raw`\s{1,64}`,
];

/** More prefixes may follow. The search ends when none matches. */
const PREFIX = new RegExp(`^(?:${PREFIXES.join('|')})(?=(?:${PREFIXES.slice(0, -2).join('|')}){0,2}(?:${BEGINNING}))`);
/**
 * In a line without a time, only quotation marks are removed, because other prefixes could be the name of a process.
 */
const QUOTED_NAME = /^(?:> ?){1,8}(?=(?:traps: )?[\w./:-]{1,15}\[\d{1,10}\](?:: | trap | general ))/;
const MAX_PREFIXES = 4;

/**
 * Removes what precedes a kernel log line that was quoted, numbered, indented or printed by a container tool. Other
 * lines are returned unchanged. A prefix is removed only if a time of the kernel log follows, which no process can
 * write there.
 */
export function stripPasted(raw: string): string {
  const code = raw.charCodeAt(0);
  // `[ 12.345678] ` and `[12.345678] `: almost every line of dmesg.
  if (code === OPENING && raw.charCodeAt(1) !== SMALL_P) return raw;
  // `Nov 26 10:12:13 host kernel: `: no prefix has a space at this position.
  if (code >= CAPITAL_A && code <= CAPITAL_Z && raw.charCodeAt(3) === SPACE) return raw;
  let line = raw;
  for (let i = 0; i < MAX_PREFIXES; i += 1) {
    const match = PREFIX.exec(line);
    if (match === null || match[0] === '') break;
    line = line.slice(match[0].length);
    if (match[0].endsWith('`') && line.endsWith('`')) line = line.slice(0, -1);
  }
  return line === raw && code === GREATER ? raw.replace(QUOTED_NAME, '') : line;
}

const OPENING = 91;
const CAPITAL_A = 65;
const CAPITAL_Z = 90;
const SPACE = 32;
const SMALL_P = 112;
const GREATER = 62;
