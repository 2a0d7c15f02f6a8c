import { toRfc3339, toZone } from './calendar-time.ts';
import { bareLine, FACILITIES, type KernelLine, LEVELS, setPriority } from './kernel-line.ts';
import { stripPasted } from './pasted-line.ts';
import { readBracketLine, takeCaller } from './read-bracket-line.ts';
import { readClockLine, readFullClockLine, readUnixLine } from './read-clock-line.ts';
import { readJournalJson } from './read-journal-json.ts';
import { readKmsgRecord } from './read-kmsg-record.ts';
import { readLogreadLine, readSyslog5424Line, readSyslogLine, stripKernelTag } from './read-syslog-line.ts';
import { readTalosLine } from './read-talos-line.ts';
import { createRelativeClock } from './relative-clock.ts';

const DECODED = /^([a-z0-9]{3,8}) *:([a-z]{3,6}) *: ?/;
const PRIORITY = /^<(\d{1,3})>/;
/** `2026-01-05T10:11:12Z relay <6>`, before a line that has its own time. */
const RELAYED = /^\d{4}-\d{2}-\d{2}T[\d:.,]{8,18}(?:Z|[+-]\d{2}:?\d{2})? \S{1,255} <(\d{1,3})>/;
const MONOTONIC_HOST = /^(?:(\S+) )?kernel: /;
/** Processor number before each message, printed by some vendors' kernels. */
const CPU_PREFIX = /^\[\d{1,3}\] /;
/**
 * A console log may be indented, or show a prompt or the name of a virtual machine. Lines that continue another message
 * start with one space and no time.
 */
const INDENTED = /^\s+(?=\[ *\d{1,9}\.\d{6} ?\])/;
const PROMPT_MARK = /[:#] \[/;
const PROMPT = /^(?:(?:\S{1,255} login|Password):|\S{1,255} #) (?=\[ *\d{1,9}\.\d{6} ?\])/;
/**
 * Android's `logcat -v threadtime` of the kernel buffer: time, optional user, process, thread, level and tag before
 * each line.
 */
const LOGCAT = /^(?:\d{2}-\d{2} )?\d{2}:\d{2}:\d{2}\.\d{3,6} +(?:[a-z][a-z0-9_]* +)?\d+ +\d+ [VDIWEF] /;
const LOGCAT_KERNEL = /^kernel *: /i;
const UPTIME = /^\[ *\d{1,9}\.\d{6}\] /;
/** Syslog without a time: only the tag, or host and tag before the uptime that the kernel printed. */
const UNTIMED_TAG = /^(?: ?kernel: |\S+ kernel: ?(?=\[ *\d{1,9}\.\d{6}\] ))/;
/**
 * A time of syslog or the journal in a line that the kernel line readers did not accept: the line of another program.
 */
const OTHER_PROGRAM =
  /^(?:\p{L}{2,5}\.? (?: ?\d{1,2} |\d{4}-\d{2}-\d{2} )\d{2}:\d{2}:\d{2}|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4} [a-z0-9]{2,8}\.|\d{9,10}\.\d{6} |<\d{1,3}>1 \d{4}-)/u;
const ISO_ONLY = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

export interface LineReader {
  /**
   * Returns the kernel message in a line of a log. Returns null if it has none (another program's line, a dictionary
   * line, empty).
   */
  read(raw: string): KernelLine | null;
}

/**
 * Recognises the format of each line by its first characters, so a stream may mix formats. `referenceMs` is the current
 * time of the reader, for formats without a year.
 * Long: its functions share state that earlier lines determined.
 */
export function createLineReader(referenceMs: number): LineReader {
  /** True if the last line was a record of /dev/kmsg. Dictionary lines (` KEY=value`) follow only those. */
  let lastWasKmsg = false;
  /**
   * `journalctl -o short-monotonic` looks like dmesg with `host kernel: ` before each message. The first bracketed line
   * decides for the stream, and the first line without a host reverts the decision. Otherwise a process named `x
   * kernel: y` could set the host name, or hide other lines.
   */
  let monotonicHost: string | null | undefined;
  /** Decided and reverted in the same way. */
  let hasCpuPrefix: boolean | undefined;
  const relativeClock = createRelativeClock(referenceMs);

  function readRelative(raw: string): KernelLine | null {
    const line = relativeClock.read(raw);
    if (line) takeCaller(line);
    return line;
  }

  function readBracketed(raw: string): KernelLine | null {
    const line = readRelative(raw) ?? readBracketLine(raw);
    if (!line) return bareLine(raw);
    hasCpuPrefix = (hasCpuPrefix ?? true) && CPU_PREFIX.test(line.text);
    if (hasCpuPrefix) line.text = line.text.replace(CPU_PREFIX, '');
    return readMonotonicHost(line);
  }

  function readMonotonicHost(line: KernelLine): KernelLine | null {
    if (monotonicHost === undefined) {
      const match = MONOTONIC_HOST.exec(line.text);
      monotonicHost = match ? (match[1] ?? '') : null;
    }
    if (monotonicHost === null || line.monotonicUs === null) return line;
    const tag = monotonicHost === '' ? 'kernel: ' : `${monotonicHost} kernel: `;
    if (line.text.startsWith(tag)) {
      line.hostname = monotonicHost === '' ? null : monotonicHost;
      line.text = line.text.slice(tag.length);
    } else if (monotonicHost !== '' && line.text.startsWith(`${monotonicHost} `)) return null;
    // The apparent host was a process name. It must not hide the following lines.
    else monotonicHost = null;
    return line;
  }

  function readWithPriority(raw: string): KernelLine | null {
    const match = PRIORITY.exec(raw);
    if (!match || Number(match[1]) > 191) return bareLine(raw);
    const full = readSyslog5424Line(raw, readIso);
    if (full || OTHER_PROGRAM.test(raw)) return full;
    const rest = raw.slice(match[0].length);
    const line = readOther(rest, true);
    if (line) setPriority(line, Number(match[1]));
    return line;
  }

  function readDecoded(raw: string): KernelLine | null {
    const match = DECODED.exec(raw);
    const facility = match ? FACILITIES.indexOf(match[1] as string) : -1;
    const level = match ? LEVELS.indexOf(match[2] as string) : -1;
    if (!match || level < 0 || (facility < 0 && !/^local[0-7]$/.test(match[1] as string))) return null;
    const rest = raw.slice(match[0].length);
    const line = readOther(rest, true);
    if (!line) return null;
    line.level = level;
    line.facility = facility >= 0 ? facility : 16 + Number((match[1] as string)[5]);
    return line;
  }

  /** Reads a line that a relay prefixed with its time and the sender. */
  function readRelayed(raw: string): KernelLine | null {
    const relayed = RELAYED.exec(raw);
    const line = relayed && readSyslogLine(raw.slice(relayed[0].length), referenceMs);
    if (!relayed || !line || Number(relayed[1]) > 191) return null;
    setPriority(line, Number(relayed[1]));
    return line;
  }

  function readLogcat(rest: string): KernelLine | null {
    const tag = LOGCAT_KERNEL.exec(rest);
    if (!tag) return UPTIME.test(rest) ? readOther(rest, true) : null;
    const text = rest.slice(tag[0].length);
    // Only the kernel's priority may follow, but no other wrapping.
    return text.charCodeAt(0) === 60 ? readWithPriority(text) : readOther(text, true);
  }

  /**
   * `wrapped`: a priority was already read. A second one is text, because a line of nothing but priorities would
   * otherwise recurse deeply.
   */
  function readOther(raw: string, wrapped: boolean): KernelLine | null {
    const code = raw.charCodeAt(0);
    if (code === 91) return readBracketed(raw);
    if (code === 123 && !wrapped) return readJournalJson(raw);
    if (code === 60 && !wrapped) return readWithPriority(raw);
    if (code >= 48 && code <= 57) {
      // After an ISO time follows a message of the kernel or another program, but never a bare message.
      if (raw.charCodeAt(4) === 45 && raw.charCodeAt(7) === 45) return readClockLine(raw) ?? readRelayed(raw);
      const logcat = LOGCAT.exec(raw);
      if (logcat) return wrapped ? null : readLogcat(raw.slice(logcat[0].length));
      return readUnixLine(raw) ?? readSyslogLine(raw, referenceMs) ?? readTalosLine(raw) ?? readBare(raw);
    }
    const decoded = wrapped ? null : readDecoded(raw);
    if (decoded) return decoded;
    const syslog =
      readSyslogLine(raw, referenceMs) ?? readFullClockLine(raw) ?? readLogreadLine(raw) ?? readTalosLine(raw);
    if (syslog) return syslog;
    return readBare(raw);
  }

  return {
    read(given) {
      const kmsg = readKmsgRecord(given);
      if (kmsg) {
        lastWasKmsg = true;
        return kmsg;
      }
      if (given === '' || (lastWasKmsg && given.charCodeAt(0) === 32)) return null;
      lastWasKmsg = false;
      const raw =
        given.charCodeAt(0) <= 32
          ? given.replace(INDENTED, '')
          : PROMPT_MARK.test(given)
            ? given.replace(PROMPT, '')
            : given;
      return readOther(stripPasted(raw), false);
    },
  };
}

function readBare(raw: string): KernelLine | null {
  if (OTHER_PROGRAM.test(raw)) return null;
  const isTagged = UNTIMED_TAG.test(raw);
  const line = bareLine(isTagged ? raw.trimStart() : raw);
  if (isTagged) stripKernelTag(line);
  return line;
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
