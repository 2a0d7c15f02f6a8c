import { guessYear, monthNumber, toRfc3339 } from './calendar-time.ts';
import { bareLine, type KernelLine, LEVELS, setPriority } from './kernel-line.ts';

/**
 * The tag, and the host before it, which a syslog daemon or the journal may omit. Metalog writes the tag in brackets.
 */
const TAG = /^(?:kernel(?:\[\d+\])?:|\[kernel\]|(\S+) kernel(?:\[\d+\])?:) ?/;
/**
 * BusyBox prints facility and level before the tag: `host kern.info kernel: `. Other facilities belong to other
 * programs.
 */
const RANKED_TAG = /^(?:(\S+) )?kern\.([a-z]{3,6}) kernel(?:\[\d+\])?: ?/;
/**
 * Some syslog daemons omit the kernel's tag, so the uptime follows the host. Terminal programs and `ts` put a time
 * before the uptime.
 */
const UNTAGGED = /^(\S+ )?(?=\[ *\d{1,9}\.\d{6}\] )/;
const UPTIME = /^\[ *(\d{1,9})\.(\d{6})\] /;
const RFC3164 = /^(\p{L}{3,5}\.?|\d{1,2}月) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))? /u;
const LOGREAD = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{4}) (?=kern\.)/;
const RFC5424 = /^<(\d{1,3})>1 (\S+) (\S+) kernel \S+ \S+ (?:-|(?:\[(?:[^\]\\]|\\.)*\])+) ?/;

/** Removes the tag from the text and sets the fields it contains. Returns false if the line has no kernel tag. */
function takeTag(line: KernelLine): boolean {
  const ranked = RANKED_TAG.exec(line.text);
  const tag = ranked ?? TAG.exec(line.text);
  if (!tag) return false;
  line.hostname = tag[1] ?? null;
  line.text = line.text.slice(tag[0].length);
  const level = ranked ? LEVELS.indexOf(ranked[2] as string) : -1;
  if (level >= 0) setPriority(line, level);
  return true;
}

/**
 * Removes `host kernel: ` or `kernel: ` and the uptime that some syslog daemons keep (`[12.345678] `). Returns false if
 * the tag belongs to another program, whose lines may look like those of the kernel.
 */
export function stripKernelTag(line: KernelLine): boolean {
  if (!takeTag(line)) return false;
  takeUptime(line);
  return true;
}

/** Takes the uptime off the text. Returns whether the text begins with one. */
export function takeUptime(line: KernelLine): boolean {
  const uptime = UPTIME.exec(line.text);
  if (!uptime) return false;
  line.monotonicUs = Number(uptime[1]) * 1e6 + Number(uptime[2]);
  line.text = line.text.slice(uptime[0].length);
  return true;
}

/**
 * Reads `Jan  5 10:11:12[.345678] [host ]kernel: text`: RFC 3164, `journalctl -o short` and `short-precise`. The format
 * has no year and no zone. The year is derived from `referenceMs` (the current time of the reader); the zone is UTC.
 */
export function readSyslogLine(raw: string, referenceMs: number): KernelLine | null {
  const match = RFC3164.exec(raw);
  if (!match) return null;
  const line = bareLine(raw.slice(match[0].length));
  if (!stripKernelTag(line) && !stripUntagged(line)) return null;
  const month = monthNumber(match[1] as string);
  const day = Number(match[2]);
  if (month !== null) {
    line.realtime = toRfc3339({
      year: guessYear(month, day, referenceMs),
      month,
      day,
      hour: Number(match[3]),
      minute: Number(match[4]),
      second: Number(match[5]),
      fraction: match[6] ?? '',
      zone: 'Z',
    });
  }
  return line;
}

/** The same for a line whose uptime follows the time, or time and host, without a tag. */
function stripUntagged(line: KernelLine): boolean {
  const host = UNTAGGED.exec(line.text);
  if (!host) return false;
  line.text = `${host[1] ?? ''}kernel: ${line.text.slice(host[0].length)}`;
  return stripKernelTag(line);
}

/**
 * Reads `Sat Nov  2 14:07:32 2019 kern.info kernel: [ 1363.021778] text`: `logread` of OpenWrt, in UTC. Returns null
 * for other lines and other programs.
 */
export function readLogreadLine(raw: string): KernelLine | null {
  const match = LOGREAD.exec(raw);
  if (!match) return null;
  const line = bareLine(raw.slice(match[0].length));
  if (!stripKernelTag(line)) return null;
  const [day, hour, minute, second, year] = match.slice(2, 7).map(Number) as [number, number, number, number, number];
  const month = monthNumber(match[1] as string);
  if (month !== null) line.realtime = toRfc3339({ year, month, day, hour, minute, second, fraction: '', zone: 'Z' });
  return line;
}

/** Reads RFC 5424: `<6>1 2024-01-05T10:11:12.345Z host kernel - - - text`. Structured data is skipped. */
export function readSyslog5424Line(raw: string, readTime: (text: string) => string | null): KernelLine | null {
  const match = RFC5424.exec(raw);
  if (!match) return null;
  const line = bareLine(raw.slice(match[0].length).replace(/^\uFEFF/, ''));
  setPriority(line, Number(match[1]));
  line.realtime = readTime(match[2] as string);
  if (match[3] !== '-') line.hostname = match[3] as string;
  takeUptime(line);
  return line;
}
