import { guessYear, monthNumber, toRfc3339 } from './calendar-time.ts';
import { bareLine, type KernelLine, setPriority } from './kernel-line.ts';

/** The tag, and before it the host, which a syslog daemon or journal may be set to leave out. */
const TAG = /^(?:kernel(?:\[\d+\])?:|(\S+) kernel(?:\[\d+\])?:) ?/;
const UPTIME = /^\[ *(\d{1,9})\.(\d{6})\] /;
const RFC3164 = /^(\p{L}{3,5}\.?|\d{1,2}月) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))? /u;
const RFC5424 = /^<(\d{1,3})>1 (\S+) (\S+) kernel \S+ \S+ (?:-|(?:\[(?:[^\]\\]|\\.)*\])+) ?/;

/**
 * Takes `host kernel: ` or `kernel: ` and the uptime that some syslog daemons keep (`[12.345678] `) off the text.
 * False when the tag is another program's: its lines may look like the kernel's, and are not.
 */
export function stripKernelTag(line: KernelLine): boolean {
  const tag = TAG.exec(line.text);
  if (!tag) return false;
  line.hostname = tag[1] ?? null;
  line.text = line.text.slice(tag[0].length);
  const uptime = UPTIME.exec(line.text);
  if (uptime) {
    line.monotonicUs = Number(uptime[1]) * 1e6 + Number(uptime[2]);
    line.text = line.text.slice(uptime[0].length);
  }
  return true;
}

/**
 * `Jan  5 10:11:12[.345678] [host ]kernel: text`: RFC 3164, `journalctl -o short` and `short-precise`. It names no year and no
 * zone: the year is guessed from `referenceMs` (the reader's present), the zone is UTC.
 */
export function readSyslogLine(raw: string, referenceMs: number): KernelLine | null {
  const match = RFC3164.exec(raw);
  if (!match) return null;
  const line = bareLine(raw.slice(match[0].length));
  if (!stripKernelTag(line)) return null;
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

/** RFC 5424: `<6>1 2024-01-05T10:11:12.345Z host kernel - - - text`, structured data skipped. */
export function readSyslog5424Line(raw: string, readTime: (text: string) => string | null): KernelLine | null {
  const match = RFC5424.exec(raw);
  if (!match) return null;
  const line = bareLine(raw.slice(match[0].length).replace(/^\uFEFF/, ''));
  setPriority(line, Number(match[1]));
  line.realtime = readTime(match[2] as string);
  if (match[3] !== '-') line.hostname = match[3] as string;
  return line;
}
