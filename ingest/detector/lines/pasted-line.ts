/** Where a line of a kernel log begins: its uptime, a time of syslog or ISO 8601 with the kernel's tag, `dmesg -T`, or a decoded priority. */
const BEGINNING = [
  String.raw`\[ *\d{1,9}\.\d{6}\] `,
  String.raw`\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\] `,
  String.raw`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})? (?:\S{1,255} )?kernel: `,
  String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S{0,20} (?:\S{1,255} )?kernel: `,
  'kern *:[a-z]{3,6} *: ',
].join('|');

/** What people and programs put before a line when they pass it on. */
const PREFIXES = [
  // Quotation marks of mails and forums.
  '(?:> ?){1,8}',
  // Numbers of `cat -n`, `grep -n` and editors.
  String.raw`\s{0,8}\d{1,9}(?:\t|: ?| \| |  )`,
  // `grep` over several files, with or without numbers.
  String.raw`[\w./~+-]{1,255}:(?:\d{1,9}:)?`,
  // Containers: `docker compose logs`, `kubectl logs --prefix`, and the time of `--timestamps`.
  String.raw`[\w.-]{1,64} +\| `,
  String.raw`\[pod/[\w./-]{1,512}\] `,
  String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z `,
  // Lists and code in Markdown.
  '(?:[-*+] )?`?',
  String.raw`\s{1,64}`,
];

/** Another prefix may follow. One that matches nothing ends the search. */
const PREFIX = new RegExp(`^(?:${PREFIXES.join('|')})(?=(?:${PREFIXES.slice(0, -2).join('|')}){0,2}(?:${BEGINNING}))`);
/** Of a line without a time only quotation marks are taken off: other prefixes could be the name of a process. */
const QUOTED_NAME = /^(?:> ?){1,8}(?=(?:traps: )?[\w./:-]{1,15}\[\d{1,10}\](?:: | trap | general ))/;
const MAX_PREFIXES = 4;

/**
 * Takes off what precedes a line of a kernel log that was quoted, numbered, indented or shown by a container's tool. Anything else stays as it is: the prefix counts
 * only if a time of the kernel's log follows, which no process can write there.
 */
export function stripPasted(raw: string): string {
  const code = raw.charCodeAt(0);
  // `[ 12.345678] ` and `[12.345678] `: nearly every line of dmesg.
  if (code === OPENING && raw.charCodeAt(1) !== SMALL_P) return raw;
  // `Nov 26 10:12:13 host kernel: `: no prefix has a space there.
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
