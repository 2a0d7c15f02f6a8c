import { toRfc3339, toZone } from './calendar-time.ts';
import { bareLine, type KernelLine, setPriority } from './kernel-line.ts';
import { readBracketLine } from './read-bracket-line.ts';
import { readClockLine } from './read-clock-line.ts';
import { readJournalJson } from './read-journal-json.ts';
import { readKmsgRecord } from './read-kmsg-record.ts';
import { readSyslog5424Line, readSyslogLine } from './read-syslog-line.ts';

const FACILITIES = 'kern user mail daemon auth syslog lpr news uucp cron authpriv ftp'.split(' ');
const LEVELS = 'emerg alert crit err warn notice info debug'.split(' ');
const DECODED = /^([a-z0-9]{3,8}) *:([a-z]{3,6}) *: ?/;
const PRIORITY = /^<(\d{1,3})>/;
const MONOTONIC_HOST = /^(\S+) kernel: /;
const ISO_ONLY = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

export interface LineReader {
  /** The kernel message on a line of a log, or null when the line holds none (another program's, a dictionary line, empty). */
  read(raw: string): KernelLine | null;
}

/**
 * Recognises each line's format by its first characters, so that logs of several kinds may be mixed in one stream.
 * `referenceMs`: the present of the log's reader, for formats that leave the year out.
 */
export function createLineReader(referenceMs: number): LineReader {
  /** Dictionary lines (` KEY=value`) follow records of /dev/kmsg only. */
  let lastWasKmsg = false;
  /**
   * `journalctl -o short-monotonic` looks like dmesg with `host kernel: ` before each message. The first bracketed line decides
   * for the stream: otherwise a process that calls itself `x kernel: y` could name the host.
   */
  let monotonicHost: string | null | undefined;

  function readBracketed(raw: string): KernelLine | null {
    const line = readBracketLine(raw);
    if (!line) return null;
    if (monotonicHost === undefined) monotonicHost = MONOTONIC_HOST.exec(line.text)?.[1] ?? null;
    if (monotonicHost !== null) {
      if (!line.text.startsWith(`${monotonicHost} kernel: `)) return line.monotonicUs === null ? line : null;
      line.hostname = monotonicHost;
      line.text = line.text.slice(monotonicHost.length + 9);
    }
    return line;
  }

  function readPrefixed(raw: string): KernelLine | null {
    const code = raw.charCodeAt(0);
    if (code === 91) return readBracketed(raw) ?? bareLine(raw);
    if (code >= 48 && code <= 57) return readClockLine(raw);
    return readSyslogLine(raw, referenceMs);
  }

  function readWithPriority(raw: string): KernelLine | null {
    const match = PRIORITY.exec(raw);
    if (!match || Number(match[1]) > 191) return bareLine(raw);
    const full = readSyslog5424Line(raw, readIso);
    if (full) return full;
    const rest = raw.slice(match[0].length);
    const line = readPrefixed(rest) ?? bareLine(rest);
    setPriority(line, Number(match[1]));
    return line;
  }

  function readDecoded(raw: string): KernelLine | null {
    const match = DECODED.exec(raw);
    const facility = match ? FACILITIES.indexOf(match[1] as string) : -1;
    const level = match ? LEVELS.indexOf(match[2] as string) : -1;
    if (!match || level < 0 || (facility < 0 && !/^local[0-7]$/.test(match[1] as string))) return null;
    const rest = raw.slice(match[0].length);
    const line = readPrefixed(rest) ?? bareLine(rest);
    line.level = level;
    line.facility = facility >= 0 ? facility : 16 + Number((match[1] as string)[5]);
    return line;
  }

  function readOther(raw: string): KernelLine | null {
    const code = raw.charCodeAt(0);
    if (code === 91) return readBracketed(raw) ?? bareLine(raw);
    if (code === 123) return readJournalJson(raw);
    if (code === 60) return readWithPriority(raw);
    if (code >= 48 && code <= 57) {
      // An ISO time decides: what follows it is the kernel's or another program's, but no bare message.
      if (raw.charCodeAt(4) === 45 && raw.charCodeAt(7) === 45) return readClockLine(raw);
      return readSyslogLine(raw, referenceMs) ?? bareLine(raw);
    }
    const decoded = readDecoded(raw);
    if (decoded) return decoded;
    const syslog = readSyslogLine(raw, referenceMs);
    if (syslog) return syslog;
    // A syslog time with another program's tag: not the kernel's, and not a bare message either.
    return /^\p{L}{3,5}\.? {1,2}\d{1,2} \d{2}:\d{2}:\d{2}/u.test(raw) ? null : bareLine(raw);
  }

  return {
    read(raw) {
      const kmsg = readKmsgRecord(raw);
      if (kmsg) {
        lastWasKmsg = true;
        return kmsg;
      }
      if (raw === '' || (lastWasKmsg && raw.charCodeAt(0) === 32)) return null;
      lastWasKmsg = false;
      return readOther(raw);
    },
  };
}

function readIso(text: string): string | null {
  const match = ISO_ONLY.exec(text);
  const zone = match ? toZone(match[8] as string) : null;
  if (!match || zone === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return toRfc3339({ year, month, day, hour, minute, second, fraction: match[7] ?? '', zone });
}
