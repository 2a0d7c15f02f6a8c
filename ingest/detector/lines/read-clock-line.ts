import { fromEpochUs, toRfc3339, toZone } from './calendar-time.ts';
import { bareLine, type KernelLine } from './kernel-line.ts';
import { stripKernelTag, takeUptime } from './read-syslog-line.ts';

const ISO = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:([.,])(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})? /;

const WEEKDAY = /^\p{L}{2,5}\.? (?=\d{4}-\d{2}-\d{2} )/u;
const ZONE_NAME = /^[A-Z]{1,5} /;
const UNIX = /^(\d{1,10})\.(\d{6}) /;

/**
 * `journalctl -o short-full`: `Fri 2024-01-05 10:11:12 CET host kernel: text`. The zone is only a name, so the time is
 * read as UTC.
 */
export function readFullClockLine(raw: string): KernelLine | null {
  const weekday = WEEKDAY.exec(raw);
  const match = weekday && ISO.exec(raw.slice(weekday[0].length));
  if (!weekday || !match) return null;
  const rest = raw.slice(weekday[0].length + match[0].length);
  return readClockLine(match[0] + rest.replace(ZONE_NAME, ''));
}

/** `journalctl -o short-unix`: `1704449472.345678 host kernel: text`. */
export function readUnixLine(raw: string): KernelLine | null {
  const match = UNIX.exec(raw);
  if (!match) return null;
  const line = bareLine(raw.slice(match[0].length));
  line.realtime = fromEpochUs(Number(match[1]) * 1e6 + Number(match[2]));
  return stripKernelTag(line) ? line : null;
}

/**
 * Reads lines that start with an ISO 8601 time: `dmesg --time-format iso` (`2024-01-05T10:11:12,345678+01:00 text`),
 * `journalctl -o short-iso` and `short-iso-precise`, and rsyslog's own format (`… host kernel: text`). A time without a
 * zone is UTC. Returns null for other lines, and for lines of other programs.
 */
export function readClockLine(raw: string): KernelLine | null {
  const match = ISO.exec(raw);
  if (!match) return null;
  const line = bareLine(raw.slice(match[0].length));
  line.realtime = timeOf(match);
  // dmesg writes a comma before the fraction and no host. The others write a point or no fraction, and `host kernel:`.
  // `ts` writes the time before the uptime.
  if (match[7] === ',') return line;
  return stripKernelTag(line) || takeUptime(line) ? line : null;
}

/** `2024-01-05 10:11:12`, with or without `T`, fraction and zone, as RFC 3339; null for another text. */
export function readIsoTime(text: string): string | null {
  const match = ISO.exec(`${text} `);
  return match === null ? null : timeOf(match);
}

function timeOf(match: RegExpExecArray): string | null {
  const zone = toZone(match[9] ?? 'Z');
  if (zone === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return toRfc3339({ year, month, day, hour, minute, second, fraction: match[8] ?? '', zone });
}
