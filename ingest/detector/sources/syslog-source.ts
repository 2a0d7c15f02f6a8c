import { type KernelSyslog, openKernelSyslog } from './kernel-syslog.ts';
import { type KernelLogSource, pause, type SourceItem } from './source.ts';
import { createRecordConverter } from './syslog-records.ts';

export interface SyslogSourceOptions {
  /**
   * First number to deliver, as assigned by `createRecordConverter`. 0 delivers all that the ring buffer still holds.
   */
  readonly fromSeq: number;
  readonly pollMs?: number;
  /** Time without a record after which `idle` is reported, ms. */
  readonly idleMs?: number;
  /** Opens the log; tests replace it. */
  readonly open?: () => KernelSyslog;
}

/** Size of the first read of a poll. If it does not reach back to the last position, a larger read follows. */
const FIRST_READ_BYTES = 8_192;
/**
 * The kernel prints a prefix of about 20 bytes before each record, so the text of a full ring buffer is larger than the
 * buffer.
 */
const TEXT_PER_RING_BYTE = 2;
/** Of a larger ring buffer, only the newest part is read, because reading all of it would need as much memory. */
const MAX_READ_BYTES = 2 * 1_048_576;
/** Length of the text that is kept to find the last position again. A single line has at most 2 KiB. */
const TAIL_BYTES = 2_048;
const NEWLINE = 10;
const BATCH = 512;

/**
 * Follows the kernel log by syslog(2). Each call returns the newest part of the ring buffer as text, without record
 * numbers. A poll first reads a small part, then more until it finds the end of the last read. If the end is missing,
 * records were lost (or `dmesg --clear` cleared the log). This is an overrun of unknown size.
 */
export function createSyslogSource(options: SyslogSourceOptions): KernelLogSource {
  const { pollMs = 250, idleMs = 500, open = openKernelSyslog } = options;
  return async function* follow(signal: AbortSignal): AsyncGenerator<SourceItem> {
    const log = open();
    const read = createNewLinesReader(log);
    const toRecord = createRecordConverter();
    let wanted = options.fromSeq;
    let quietMs = 0;
    for (let ended = false; !ended; ) {
      ended = signal.aborted;
      const { lines, overrun } = read();
      const numbered = lines.map(toRecord);
      // After a restart, the record before the first wanted one shows that no record is missing.
      const gap = wanted > 0 && (numbered[0]?.seq ?? 0) >= wanted;
      if (overrun || gap) yield { kind: 'overrun', lost: null };
      const records = numbered.filter(({ seq }) => seq >= wanted).map(({ record }) => record);
      if (lines.length > 0) wanted = 0;
      for (let at = 0; at < records.length; at += BATCH) yield { kind: 'lines', lines: records.slice(at, at + BATCH) };
      if (records.length > 0) quietMs = 0;
      else if (!ended) {
        await pause(pollMs, signal);
        if (quietMs < idleMs && quietMs + pollMs >= idleMs) yield { kind: 'idle' };
        quietMs += pollMs;
      }
    }
  };
}

/** Returns a function that returns the new lines of the log since its last call. The first call returns all lines. */
function createNewLinesReader(log: KernelSyslog): () => { readonly lines: Buffer[]; readonly overrun: boolean } {
  const maxBytes = Math.min(log.size * TEXT_PER_RING_BYTE, MAX_READ_BYTES);
  const small = Buffer.alloc(Math.min(FIRST_READ_BYTES, maxBytes));
  /** The last complete lines that were read; null before the first read. */
  let tail: Buffer | null = null;

  function keepTail(text: Buffer): void {
    if (text.length === 0) return;
    const cut = text.length <= TAIL_BYTES ? 0 : text.indexOf(NEWLINE, text.length - TAIL_BYTES - 1) + 1;
    // A single line may be longer than the limit; its end is sufficient.
    tail = Buffer.from(text.subarray(cut > 0 && cut < text.length ? cut : Math.max(text.length - TAIL_BYTES, 0)));
  }

  return () => {
    let buffer = tail === null ? Buffer.alloc(maxBytes) : small;
    for (;;) {
      const text = buffer.subarray(0, log.readNewest(buffer));
      // After the log was cleared, it is empty until the next record.
      if (text.length === 0 && buffer.length >= small.length) return { lines: [], overrun: false };
      const at = tail === null ? -1 : text.lastIndexOf(tail);
      if (tail !== null && at < 0 && buffer.length < maxBytes) {
        buffer = Buffer.alloc(Math.min(buffer.length * 4, maxBytes));
        continue;
      }
      const overrun = tail !== null && at < 0;
      const fresh = tail === null || at < 0 ? text : text.subarray(at + tail.length);
      keepTail(text);
      return { lines: linesOf(fresh), overrun };
    }
  };
}

/** Returns the lines as copies, because the buffer is reused. */
function linesOf(text: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf(NEWLINE, from);
    const end = newline < 0 ? text.length : newline;
    if (end > from) lines.push(Buffer.from(text.subarray(from, end)));
    from = end + 1;
  }
  return lines;
}
