import { closeSync, constants, openSync, readSync } from 'node:fs';
import { type KernelLogSource, pause, type SourceItem } from './source.ts';

/** An open /dev/kmsg: every read gives one whole record, and throws EAGAIN at the end, EPIPE after an overrun. */
export interface KmsgDevice {
  read(into: Buffer): number;
  close(): void;
}

export interface KmsgSourceOptions {
  /** First sequence number wanted; older records are passed over. 0 for all that the ring still holds. */
  readonly fromSeq: number;
  /** Poll interval of an idle ring buffer, ms. A blocking read of the device would occupy a thread. */
  readonly pollMs?: number;
  /** Time without a record after which the silence is reported, ms. */
  readonly idleMs?: number;
  /** Opens the device; tests pass their own. */
  readonly open?: () => KmsgDevice;
}

/** Above any record (PRINTK_MESSAGE_MAX is 2,048, 8,192 in older kernels): a smaller buffer would get EINVAL. */
const RECORD_BYTES = 16_384;
const BATCH = 512;

/** Opens the kernel’s ring for reading without blocking. */
export function openKmsg(path: string): KmsgDevice {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { read: (into) => readSync(fd, into), close: () => closeSync(fd) };
}

/**
 * Follows the kernel's ring buffer. Each read is one record; its dictionary lines are left out. A gap in the sequence numbers,
 * by overrun while reading or while the detector was not running, is reported with the number of lost records.
 */
export function createKmsgSource(path: string, options: KmsgSourceOptions): KernelLogSource {
  const { pollMs = 100, idleMs = 500, open = () => openKmsg(path) } = options;
  return async function* follow(signal: AbortSignal): AsyncGenerator<SourceItem> {
    const device = open();
    try {
      const buffer = Buffer.allocUnsafe(RECORD_BYTES);
      let expected = options.fromSeq;
      let quietMs = 0;
      let lines: string[] = [];
      // Looked at between batches, so that what was already printed when the stop came is still read.
      for (let ended = false; !ended; ) {
        const record = readRecord(device, buffer);
        if (record !== null) {
          const seq = seqOf(record);
          if (seq < expected) continue;
          // Without a number to resume at, the ring simply begins where it begins.
          if (seq > expected && expected > 0) {
            if (lines.length > 0) yield { kind: 'lines', lines };
            lines = [];
            yield { kind: 'overrun', lost: seq - expected };
          }
          lines.push(record);
          expected = seq + 1;
          if (lines.length < BATCH) continue;
        }
        ended = signal.aborted;
        if (lines.length > 0) {
          yield { kind: 'lines', lines };
          lines = [];
          quietMs = 0;
        } else if (!ended) {
          await pause(pollMs, signal);
          if (quietMs < idleMs && quietMs + pollMs >= idleMs) yield { kind: 'idle' };
          quietMs += pollMs;
        }
      }
    } finally {
      device.close();
    }
  };
}

/** The next record without its dictionary lines; null when the buffer has no new record. */
function readRecord(device: KmsgDevice, buffer: Buffer): string | null {
  for (;;) {
    try {
      const length = device.read(buffer);
      const newline = buffer.indexOf(10);
      return buffer.toString('utf8', 0, newline >= 0 && newline < length ? newline : length);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') return null;
      // EPIPE is the overrun: the next read continues at the oldest record, whose number shows how many were lost.
      if (code !== 'EPIPE' && code !== 'EINTR') throw error;
    }
  }
}

function seqOf(line: string): number {
  const from = line.indexOf(',') + 1;
  return Number(line.slice(from, line.indexOf(',', from)));
}
