import { bareLine, type KernelLine, setPriority } from './kernel-line.ts';

/** A larger offset (about 285 years) is not an uptime, so the line is not a kmsg record. */
const MAX_OFFSET_US = 9_000_000_000_000_000;
const ESCAPE = /(?:\\x[0-9a-f]{2})+/g;

function digitsEnd(line: string, from: number): number {
  let at = from;
  for (; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code < 48 || code > 57) break;
  }
  return at;
}

/**
 * Reads a record of /dev/kmsg: `priority,sequence,microseconds,flags[,caller=T1];text`. Control characters, backslashes
 * and bytes above 126 are escaped as `\xNN` (Documentation/ABI/testing/dev-kmsg). Returns null for other lines. The
 * caller must remove dictionary lines (` SUBSYSTEM=pci`).
 */
export function readKmsgRecord(raw: string): KernelLine | null {
  const priorityEnd = digitsEnd(raw, 0);
  if (priorityEnd === 0 || priorityEnd > 4 || raw.charCodeAt(priorityEnd) !== 44) return null;
  const seqEnd = digitsEnd(raw, priorityEnd + 1);
  if (seqEnd === priorityEnd + 1 || seqEnd - priorityEnd > 17 || raw.charCodeAt(seqEnd) !== 44) return null;
  const timeEnd = digitsEnd(raw, seqEnd + 1);
  if (timeEnd === seqEnd + 1 || timeEnd - seqEnd > 17 || raw.charCodeAt(timeEnd) !== 44) return null;
  const semicolon = raw.indexOf(';', timeEnd);
  if (semicolon < 0) return null;
  const monotonicUs = Number(raw.slice(seqEnd + 1, timeEnd));
  if (monotonicUs > MAX_OFFSET_US) return null;
  const text = raw.slice(semicolon + 1);
  const line = bareLine(text.includes('\\x') ? unescapeKmsg(text) : text);
  setPriority(line, Number(raw.slice(0, priorityEnd)));
  line.seq = Number(raw.slice(priorityEnd + 1, seqEnd));
  line.monotonicUs = monotonicUs;
  // The flags are usually only `,-` or `,c`. Only longer flags can contain a caller.
  if (semicolon - timeEnd > 2) {
    const at = raw.indexOf(',caller=', timeEnd);
    if (at >= 0 && at < semicolon) {
      const end = raw.indexOf(',', at + 8);
      line.caller = raw.slice(at + 8, end >= 0 && end < semicolon ? end : semicolon);
    }
  }
  return line;
}

/** Decodes runs of `\xNN` bytes together, so that UTF-8 names are decoded correctly. */
export function unescapeKmsg(text: string): string {
  return text.replace(ESCAPE, (run) => Buffer.from(run.replaceAll('\\x', ''), 'hex').toString('utf8'));
}
