import { gzipSync } from 'node:zlib';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { newBatchKey } from './batch-key.ts';
import type { OutgoingEvent } from './event-sink.ts';
import { type SpooledBatch, stampBody } from './spool-record.ts';

export interface BatcherOptions {
  readonly maxEvents: number;
  readonly maxBytes: number;
  /** Maximum time that the first event of a batch waits for more events while no batch is being delivered, ms. */
  readonly maxAgeMs: number;
}

export interface Batcher {
  /** Resolves or rejects with the batch that contains the last of the events. */
  add(events: readonly OutgoingEvent[]): Promise<void>;
  /** Sends the collected events, and waits until everything is delivered. */
  drain(): Promise<void>;
}

interface OpenBatch {
  readonly lines: string[];
  bytes: number;
  /** When the first event was added, ms since the epoch. */
  readonly collectedMs: number;
  /** Trace of the first recorded event, because a request continues one trace. */
  trace: TraceContext | undefined;
  readonly delivered: PromiseWithResolvers<void>;
}

/**
 * Collects events into batches and passes them to `deliver` in sequence. Events that arrive during a delivery go into
 * the next batch, up to `maxEvents` and `maxBytes`. Batches therefore grow if the receiver is slow.
 */
export function createBatcher(options: BatcherOptions, deliver: (batch: SpooledBatch) => Promise<void>): Batcher {
  /** In order; only the last one accepts events. */
  const batches: OpenBatch[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isDelivering = false;
  let lastDelivery: Promise<void> = Promise.resolve();

  const isFull = ({ lines, bytes }: OpenBatch) => lines.length >= options.maxEvents || bytes >= options.maxBytes;

  function batchWithRoom(): OpenBatch {
    const last = batches.at(-1);
    if (last !== undefined && !isFull(last)) return last;
    const next: OpenBatch = {
      lines: [],
      bytes: 0,
      collectedMs: Date.now(),
      trace: undefined,
      delivered: Promise.withResolvers<void>(),
    };
    // The caller may not await all batches of its events, so rejections are marked as handled.
    next.delivered.promise.catch(() => {});
    batches.push(next);
    return next;
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!isDelivering) lastDelivery = deliverAll();
  }

  async function deliverAll(): Promise<void> {
    isDelivering = true;
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      // Compressed synchronously, which takes a few milliseconds per batch. A thread of the pool would keep memory for
      // it.
      const body = gzipSync(`${batch.lines.join('\n')}\n`, { level: 3 });
      stampBody(body, batch.collectedMs);
      await deliver({ key: newBatchKey(), events: batch.lines.length, body, trace: batch.trace }).then(
        batch.delivered.resolve,
        batch.delivered.reject,
      );
    }
    isDelivering = false;
  }

  return {
    add(events) {
      let added = lastDelivery;
      for (const { json, trace } of events) {
        const batch = batchWithRoom();
        batch.lines.push(json);
        batch.trace ??= trace;
        batch.bytes += json.length + 1;
        added = batch.delivered.promise;
      }
      const [first] = batches;
      if (!isDelivering && first !== undefined) {
        if (isFull(first)) start();
        else timer ??= setTimeout(start, options.maxAgeMs);
      }
      return added;
    },
    async drain() {
      if (batches.length > 0) start();
      await lastDelivery;
    },
  };
}
