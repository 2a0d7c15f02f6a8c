import { closeSync, constants, openSync, readSync } from 'node:fs';
import { type KernelLogSource, pause, type SourceItem } from './source.ts';

/** An open /dev/kmsg. Each read returns one complete record, or throws EAGAIN at the end and EPIPE after an overrun. */
export interface KmsgDevice {
  read(into: Buffer): number;
  close(): void;
}

export interface KmsgSourceOptions {
  /** First sequence number to deliver; older records are skipped. 0 delivers all that the ring buffer still holds. */
  readonly fromSeq: number;
  /** Poll interval while the ring buffer has no new record, ms. A blocking read would occupy a thread. */
  readonly pollMs?: number;
  /** Time without a record after which `idle` is reported, ms. */
  readonly idleMs?: number;
  /** Opens the device; tests replace it. */
  readonly open?: () => KmsgDevice;
}

/**
 * Larger than any record (PRINTK_MESSAGE_MAX is 2,048, in older kernels 8,192). A smaller buffer would cause EINVAL.
 */
const RECORD_BYTES = 16_384;
const BATCH = 512;

/** Opens the kernel's ring buffer for non-blocking reads. */
export function openKmsg(path: string): KmsgDevice {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { read: (into) => readSync(fd, into), close: () => closeSync(fd) };
}

/**
 * Follows the kernel's ring buffer, one record per read, without dictionary lines. Reports a gap in the sequence
 * numbers with the number of lost records. A gap is caused by an overrun, or while the detector was not running.
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
      // The signal is checked between batches, so that records printed before the stop are still read.
      for (let ended = false; !ended; ) {
        const record = readRecord(device, buffer);
        if (record !== null) {
          const seq = seqOf(record);
          if (seq < expected) continue;
          // Without a number to resume from, the start of the ring buffer is not a gap.
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

/** Returns the next record without its dictionary lines; null if there is no new record. */
function readRecord(device: KmsgDevice, buffer: Buffer): string | null {
  for (;;) {
    try {
      const length = device.read(buffer);
      const newline = buffer.indexOf(10);
      return buffer.toString('utf8', 0, newline >= 0 && newline < length ? newline : length);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') return null;
      // EPIPE is an overrun. The next read returns the oldest record, whose number shows how many were lost.
      if (code !== 'EPIPE' && code !== 'EINTR') throw error;
    }
  }
}

function seqOf(line: string): number {
  const from = line.indexOf(',') + 1;
  return Number(line.slice(from, line.indexOf(',', from)));
}
