type Fields = Readonly<Record<string, unknown>>;

/** Metadata of a record of a log collector, besides the text. */
export interface RecordFacts {
  /** RFC 3339. */
  readonly time?: string | undefined;
  readonly host?: string | undefined;
  readonly program?: string | undefined;
  readonly pid?: string | undefined;
}

/** Members that may hold the text of an entry, most certain first. */
const TEXTS = [
  'MESSAGE',
  'message',
  'msg',
  '@message',
  'log',
  'short_message',
  'textPayload',
  'SyslogMessage',
  '_raw',
  'line',
  'body',
];
const TIMES = [
  '@timestamp',
  'timestamp',
  '@timestamp_utc',
  'time',
  'TimeGenerated',
  'EventTime',
  '_time',
  'DATE',
  'ISODATE',
  'ts',
];
const HOSTS = ['_HOSTNAME', 'hostname', 'HOST', 'HostName', 'Computer', 'host'];
const PROGRAMS = [
  'SYSLOG_IDENTIFIER',
  'ident',
  'appname',
  'app_name',
  'app-name',
  'programname',
  'PROGRAM',
  'ProcessName',
  'process',
];
const PIDS = ['_PID', 'PID', 'pid', 'procid', 'proc_id', 'ProcessID'];
/** Members whose object is the entry, as used by Cloud Logging, Elasticsearch and Splunk. */
const WRAPPERS = ['jsonPayload', '_source', 'result'];
/** Objects of `journalctl -o json` are returned unchanged. */
const JOURNAL = /"(?:__REALTIME_TIMESTAMP|__CURSOR|_TRANSPORT)"/;
/** A text that starts with a time, a priority or an uptime. */
const HEADED =
  /^(?:<\d{1,3}>|\p{L}{3,5}\.? {1,2}\d{1,2} \d{2}:\d{2}:\d{2}|\d{4}-\d{2}-\d{2}[T ]|\d{1,4},\d{1,16},\d{1,16},)/u;
const UPTIME = /^\[ *\d{1,9}\.\d{6}\]/;
const CLOCK = /^\[[^\]]{10,40}\d{2}:\d{2}:\d{2}[^\]]*\] /;
/** Fluentd's file output: time, tag and record, separated by tabs. */
const TAGGED = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2}))\t([^\t]{1,128})\t(\{.*\})$/;
/** `aws logs tail`: time and stream name before each line. */
const STREAMED =
  /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})) (\S{1,255}) (?=[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} |\[ *\d{1,9}\.\d{6}\] |\d{4}-\d{2}-\d{2}T)/;
const NUL = /\0/g;

/**
 * Returns the log line in a record of a collector, `{…}` on one line. Journal entries are returned unchanged. Returns
 * null if the line is not a complete object.
 */
export function lineOfRecord(line: string): string | null {
  if (line.charCodeAt(0) !== 123 || line.charCodeAt(line.trimEnd().length - 1) !== 125) return null;
  if (JOURNAL.test(line) && !line.includes('"jsonPayload"')) return line;
  const entry = parseFields(line);
  return entry === null ? null : (lineOfFields(entry, {}) ?? line);
}

/**
 * Returns the log line of a record after a time and a tag (Fluentd), or after a time and a stream name (`aws logs
 * tail`).
 */
export function lineOfTaggedRecord(line: string): string | null {
  const first = line.charCodeAt(0);
  if (first < 48 || first > 57) return null;
  const tagged = TAGGED.exec(line);
  if (tagged) return lineOfEntry(tagged[3] as string, { time: tagged[1] as string });
  const streamed = STREAMED.exec(line);
  return streamed ? lineOfText(line.slice(streamed[0].length), { time: streamed[1] as string }) : null;
}

/** Returns the log line of a JSON entry; null if it has none. */
export function lineOfEntry(text: string, known: RecordFacts = {}): string | null {
  const entry = parseFields(text);
  return entry === null ? null : lineOfFields(entry, known);
}

function parseFields(text: string): Fields | null {
  try {
    const entry: unknown = JSON.parse(text);
    return isFields(entry) ? entry : null;
  } catch {
    return null;
  }
}

function lineOfFields(outer: Fields, known: RecordFacts): string | null {
  const inner = WRAPPERS.map((name) => outer[name]).find(isFields);
  const fields = inner ?? outer;
  const facts = factsOf(fields, outer, known);
  if (fields._TRANSPORT !== undefined || fields.__REALTIME_TIMESTAMP !== undefined) return journalEntry(fields, facts);
  const text = TEXTS.map((name) => fields[name]).find((value) => typeof value === 'string');
  if (typeof text !== 'string') return null;
  // `dmesg --json`: seconds since the start of the kernel, and the priority.
  if (typeof fields.time === 'number' && typeof fields.pri === 'number')
    return `<${fields.pri}>[${fields.time.toFixed(6).padStart(12)}] ${text}`;
  return lineOfText(text, facts);
}

/** Returns the journal entry. If it has no time, adds that of the collector. */
function journalEntry(fields: Fields, { time }: RecordFacts): string {
  const timeMs = time === undefined ? Number.NaN : Date.parse(time);
  if (fields.__REALTIME_TIMESTAMP !== undefined || Number.isNaN(timeMs)) return JSON.stringify(fields);
  return JSON.stringify({ ...fields, __REALTIME_TIMESTAMP: String(timeMs * 1000) });
}

/**
 * Formats a line of syslog. A text that already starts with a time is returned unchanged. A text without a program is
 * taken as the kernel's, as in a file with only the text. Line ends are written as syslog daemons do.
 */
export function lineOfText(given: string, { time, host, program, pid }: RecordFacts): string {
  const text = given.replace(/\s+$/, '').replaceAll('\n', '#012').replace(NUL, '');
  if (HEADED.test(text) || CLOCK.test(text)) return text;
  if (time === undefined) return UPTIME.test(text) || program === undefined ? text : `${program}: ${text}`;
  const name = program ?? 'kernel';
  // The text may already contain the kernel's tag.
  const tag = /^kernel: /.test(text) ? '' : `${name}${pid === undefined || name === 'kernel' ? '' : `[${pid}]`}: `;
  return `${time} ${host === undefined ? '' : `${host} `}${tag}${text}`;
}

function factsOf(fields: Fields, outer: Fields, known: RecordFacts): RecordFacts {
  const find = (names: readonly string[], read: (value: unknown) => string | undefined): string | undefined => {
    for (const from of [fields, outer])
      for (const name of names) {
        const found = read(from[name]);
        if (found !== undefined) return found;
      }
    return undefined;
  };
  return {
    time: find(TIMES, toTime) ?? known.time,
    host: find(HOSTS, toName) ?? known.host,
    program: find(PROGRAMS, toName) ?? known.program,
    pid: find(PIDS, (value) => (/^\d{1,10}$/.test(String(value)) ? String(value) : undefined)) ?? known.pid,
  };
}

/** Converts RFC 3339, or a number of seconds, milliseconds or microseconds since 1970. */
function toTime(value: unknown): string | undefined {
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}/.test(value)) return toRfc3339(value);
  const number = typeof value === 'string' && /^\d{9,16}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !(number > 1e8)) return undefined;
  const ms = number > 1e14 ? number / 1000 : number > 1e11 ? number : number * 1000;
  return ms < 8e15 ? new Date(ms).toISOString() : undefined;
}

function toRfc3339(text: string): string {
  const time = text.replace(' ', 'T');
  return /(?:Z|[+-]\d{2}:?\d{2})$/.test(time) ? time : `${time}Z`;
}

/** Returns a name without spaces, or the name in an ECS object. */
function toName(value: unknown): string | undefined {
  if (isFields(value)) return toName(value.hostname ?? value.name);
  return typeof value === 'string' && /^[^\s[\]]{1,255}$/.test(value) ? value : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
