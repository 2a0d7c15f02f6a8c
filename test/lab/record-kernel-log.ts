import { setTimeout as pause } from 'node:timers/promises';
import { createKmsgSource } from '#ingest/detector/sources/kmsg-source.ts';

const DEVICE = '/dev/kmsg';
/** The ring of a small kernel holds a few hundred dumps: it is read well before it can overrun. */
const POLL_MS = 5;
const IDLE_MS = 100;

export interface KernelLog {
  /** Records that came while `action` ran, and `lost`: how many of them the ring dropped before they were read. */
  during(action: () => Promise<void>): Promise<{ records: string[]; lost: number }>;
  stop(): Promise<void>;
}

/** Follows the log of the running kernel. Throws when it cannot be read: it needs root. */
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
  /** Resolves when the log has been read to its end and nothing came for a while; rejects when it cannot be read. */
  async function quiet(): Promise<void> {
    // The source reports silence once: what came since then is read within this time.
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
