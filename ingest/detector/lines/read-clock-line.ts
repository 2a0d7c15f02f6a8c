import { toRfc3339, toZone } from './calendar-time.ts';
import { bareLine, type KernelLine } from './kernel-line.ts';
import { stripKernelTag } from './read-syslog-line.ts';

const ISO = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:([.,])(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})? /;

/**
 * Lines that start with an ISO 8601 time: `dmesg --time-format iso` (`2024-01-05T10:11:12,345678+01:00 text`),
 * `journalctl -o short-iso` and `short-iso-precise`, rsyslog's own format (`… host kernel: text`). Without a zone it is UTC.
 * Returns null when it is another kind of line, or one of another program than the kernel.
 */
export function readClockLine(raw: string): KernelLine | null {
  const match = ISO.exec(raw);
  if (!match) return null;
  const zone = toZone(match[9] ?? 'Z');
  const realtime =
    zone === null
      ? null
      : toRfc3339({
          year: Number(match[1]),
          month: Number(match[2]),
          day: Number(match[3]),
          hour: Number(match[4]),
          minute: Number(match[5]),
          second: Number(match[6]),
          fraction: match[8] ?? '',
          zone,
        });
  const line = bareLine(raw.slice(match[0].length));
  line.realtime = realtime;
  // dmesg writes a comma before the fraction and no host; the others a point or no fraction at all, and `host kernel:`.
  if (match[7] === ',') return line;
  return stripKernelTag(line) ? line : null;
}
