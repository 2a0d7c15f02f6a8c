import { gzipSync } from 'node:zlib';
import { newBatchKey } from './batch-key.ts';
import type { OutgoingEvent } from './event-sink.ts';
import type { SpooledBatch } from './spool-record.ts';

export interface BatcherOptions {
  readonly maxEvents: number;
  readonly maxBytes: number;
  /** A batch leaves this long after its first event, ms. */
  readonly maxAgeMs: number;
}

export interface Batcher {
  /** Resolves or rejects with the batch that the events' last one went with. */
  add(events: readonly OutgoingEvent[]): Promise<void>;
  /** Sends off what is collected, and waits until all that was sent off is dealt with. */
  drain(): Promise<void>;
}

/** Collects events into batches by number, size and age, and hands them to `deliver` one after the other. */
export function createBatcher(options: BatcherOptions, deliver: (batch: SpooledBatch) => Promise<void>): Batcher {
  let lines: string[] = [];
  let bytes = 0;
  let timer: NodeJS.Timeout | null = null;
  let collecting = Promise.withResolvers<void>();
  let last: Promise<void> = Promise.resolve();

  function seal(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (lines.length === 0) return;
    const batchLines = lines;
    const done = collecting;
    lines = [];
    bytes = 0;
    collecting = Promise.withResolvers<void>();
    const sent = last.then(async () => {
      // In place: at most half a MiB a batch, a few milliseconds; a thread of the pool would keep its own memory for it.
      const body = gzipSync(`${batchLines.join('\n')}\n`, { level: 3 });
      await deliver({ key: newBatchKey(), events: batchLines.length, body });
    });
    sent.then(done.resolve, done.reject);
    last = sent.catch(() => {});
  }

  return {
    add(events) {
      let promise: Promise<void> = last;
      for (const { json } of events) {
        lines.push(json);
        bytes += json.length + 1;
        promise = collecting.promise;
        if (lines.length >= options.maxEvents || bytes >= options.maxBytes) seal();
      }
      if (lines.length > 0) timer ??= setTimeout(seal, options.maxAgeMs);
      return promise;
    },
    async drain() {
      seal();
      await last;
    },
  };
}
