import { fromEpochUs } from './calendar-time.ts';
import { bareLine, type KernelLine } from './kernel-line.ts';

/**
 * Reads one object of `journalctl -k -o json`. Entries of other transports are not from the kernel, whatever their
 * text. A MESSAGE that is not UTF-8 is an array of byte values.
 */
export function readJournalJson(raw: string): KernelLine | null {
  let entry: unknown;
  try {
    entry = JSON.parse(raw);
  } catch {
    return null;
  }
  if (typeof entry !== 'object' || entry === null) return null;
  const fields = entry as Readonly<Record<string, unknown>>;
  if (fields._TRANSPORT !== undefined && fields._TRANSPORT !== 'kernel') return null;
  const message = fields.MESSAGE;
  const text =
    typeof message === 'string'
      ? message
      : Array.isArray(message)
        ? Buffer.from(message.filter((byte) => typeof byte === 'number')).toString('utf8')
        : null;
  if (text === null) return null;
  const line = bareLine(text);
  line.level = smallNumber(fields.PRIORITY, 7);
  line.facility = smallNumber(fields.SYSLOG_FACILITY, 23);
  line.monotonicUs = smallNumber(fields._SOURCE_MONOTONIC_TIMESTAMP, 9e15);
  const realtimeUs = smallNumber(fields.__REALTIME_TIMESTAMP, 9.2e15);
  if (realtimeUs !== null) line.realtime = fromEpochUs(realtimeUs);
  const host = fields._HOSTNAME;
  if (typeof host === 'string' && host !== '') line.hostname = host;
  return line;
}

function smallNumber(value: unknown, max: number): number | null {
  if (typeof value !== 'string' || !/^\d{1,16}$/.test(value)) return null;
  return Number(value) <= max ? Number(value) : null;
}
