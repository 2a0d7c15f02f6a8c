import { setTimeout as pause } from 'node:timers/promises';
import { createKmsgSource } from '#ingest/detector/sources/kmsg-source.ts';

const DEVICE = '/dev/kmsg';
/**
 * Interval between reads. The ring buffer of a small kernel holds a few hundred dumps and must be read before it
 * overruns.
 */
const POLL_MS = 5;
const IDLE_MS = 100;

export interface KernelLog {
  /**
   * Resolves to the records logged while `action` ran, and to `lost`: the number of records that the ring buffer
   * dropped before they were read.
   */
  during(action: () => Promise<void>): Promise<{ records: string[]; lost: number }>;
  stop(): Promise<void>;
}

/** Follows the log of the running kernel. Throws if the log cannot be read, which needs root. */
export async function followKernelLog(): Promise<KernelLog> {
  const stopping = new AbortController();
  let records: string[] = [];
  let lost = 0;
  let isQuiet = false;
  const source = createKmsgSource(DEVICE, { fromSeq: 0, pollMs: POLL_MS, idleMs: IDLE_MS });
  async function follow(): Promise<void> {
    for await (const item of source(stopping.signal)) {
      isQuiet = item.kind === 'idle';
      if (item.kind === 'lines') records.push(...item.lines);
      else if (item.kind === 'overrun') lost += item.lost ?? 1;
    }
  }
  const following = follow();
  let failure: unknown;
  following.catch((error) => {
    failure = error;
  });
  /**
   * Resolves when the log has been read to its end and no record arrived for `IDLE_MS`. Rejects if the log cannot be
   * read.
   */
  async function quiet(): Promise<void> {
    // The source reports idleness only once. Records that arrived since then are read within this time.
    do await pause(IDLE_MS);
    while (!isQuiet && failure === undefined);
    if (failure !== undefined) throw failure;
  }
  await quiet();
  return {
    async during(action) {
      records = [];
      lost = 0;
      await action();
      await quiet();
      return { records, lost };
    },
    async stop() {
      stopping.abort();
      await following.catch(() => {});
    },
  };
}
