import { type KernelSyslog, openKernelSyslog } from './kernel-syslog.ts';
import { type KernelLogSource, pause, type SourceItem } from './source.ts';
import { createRecordConverter } from './syslog-records.ts';

export interface SyslogSourceOptions {
  /** First number wanted, as `createRecordConverter` makes them. 0 for all that the ring still holds. */
  readonly fromSeq: number;
  readonly pollMs?: number;
  /** Time without a record after which the silence is reported, ms. */
  readonly idleMs?: number;
  /** Opens the log; tests pass their own. */
  readonly open?: () => KernelSyslog;
}

/** The first read of a poll. A larger one follows when it does not reach back to what was read before. */
const FIRST_READ_BYTES = 8_192;
/** The kernel prints a prefix of about 20 bytes to each record: the text of a full ring is longer than the ring. */
const TEXT_PER_RING_BYTE = 2;
/** Larger rings are followed by their newest part: reading them whole would take as much memory. */
const MAX_READ_BYTES = 2 * 1_048_576;
/** What is kept of the log to find the place again. A single line is at most 2 KiB. */
const TAIL_BYTES = 2_048;
const NEWLINE = 10;
const BATCH = 512;

/**
 * Follows the kernel's log by syslog(2). The call returns the newest part of the ring as text, without numbers, and again and
 * again the same: a poll reads a little, and more until it finds the end of what was read before. When it is not there any more,
 * records were lost (or the log was cleared by `dmesg --clear`): an overrun whose size is not known.
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
      // At a restart the record before the wanted one shows that none is missing.
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

/** Returns at each call the lines that the log has got since the call before; the first time all lines. */
function createNewLinesReader(log: KernelSyslog): () => { readonly lines: Buffer[]; readonly overrun: boolean } {
  const maxBytes = Math.min(log.size * TEXT_PER_RING_BYTE, MAX_READ_BYTES);
  const small = Buffer.alloc(Math.min(FIRST_READ_BYTES, maxBytes));
  /** The last whole lines that were read; null before the first read. */
  let tail: Buffer | null = null;

  function keepTail(text: Buffer): void {
    if (text.length === 0) return;
    const cut = text.length <= TAIL_BYTES ? 0 : text.indexOf(NEWLINE, text.length - TAIL_BYTES - 1) + 1;
    // One line that is longer than what is kept: its end is as good.
    tail = Buffer.from(text.subarray(cut > 0 && cut < text.length ? cut : Math.max(text.length - TAIL_BYTES, 0)));
  }

  return () => {
    let buffer = tail === null ? Buffer.alloc(maxBytes) : small;
    for (;;) {
      const text = buffer.subarray(0, log.readNewest(buffer));
      // After a clearing of the log there is nothing until the next record.
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

/** The lines, as copies: the buffer is used again. */
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
