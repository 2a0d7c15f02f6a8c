import { createKmsgSource } from '#ingest/detector/sources/kmsg-source.ts';

const DEVICE = '/dev/kmsg';
/** The ring of a small kernel holds a few hundred dumps: it is read well before it can overrun. */
const POLL_MS = 5;

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
  let idle: (() => void) | undefined;
  const source = createKmsgSource(DEVICE, { fromSeq: 0, pollMs: POLL_MS, idleMs: 100 });
  async function follow(): Promise<void> {
    for await (const item of source(stopping.signal)) {
      if (item.kind === 'lines') records.push(...item.lines);
      else if (item.kind === 'overrun') lost += item.lost ?? 1;
      else idle?.();
    }
  }
  const following = follow();
  /** Resolves when the log has been read to its end and nothing came for a while; rejects when it cannot be read. */
  const quiet = () =>
    Promise.race([
      following.then(() => Promise.reject(new Error(`${DEVICE} ended`))),
      new Promise<void>((resolve) => {
        idle = resolve;
      }),
    ]);
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
