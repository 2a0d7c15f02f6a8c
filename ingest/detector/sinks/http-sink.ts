import { join } from 'node:path';
import type { DetectorLog } from '../log.ts';
import { pause } from '../sources/source.ts';
import { backoffMs } from './backoff.ts';
import { createBatcher } from './batcher.ts';
import { type EventSink, UndeliveredError } from './event-sink.ts';
import { createPoster, type PostResult } from './post-batch.ts';
import { keepRejected } from './rejected-file.ts';
import { openSpool } from './spool.ts';
import type { SpooledBatch } from './spool-record.ts';

export interface HttpSinkOptions {
  /** Of the receiver's `POST /api/events`. */
  readonly url: URL;
  /** Sent as `x-api-key`. */
  readonly apiKey: string | null;
  /** Where events wait while the receiver is away, and where refused ones are kept; null waits in memory and holds the source up. */
  readonly spoolDirectory: string | null;
  readonly maxSpoolBytes?: number;
  readonly maxBatchEvents?: number;
  readonly maxBatchBytes?: number;
  /** An event leaves at most this long after it came, ms. */
  readonly maxAgeMs?: number;
  /** Of one attempt, ms. */
  readonly timeoutMs?: number;
  readonly retryBaseMs?: number;
  readonly retryMaxMs?: number;
  /** How long `close` goes on trying; what is left then goes to the spool, ms. */
  readonly closeTimeoutMs?: number;
}

export interface HttpSinkStats {
  sent: number;
  /** Events of batches that the receiver refused for good, and single events it found invalid. */
  refused: number;
  /** Events that found no room in the spool. */
  dropped: number;
  retries: number;
  spooledBytes: number;
}

export interface HttpSink extends EventSink {
  stats(): Readonly<HttpSinkStats>;
}

const MIB = 1_048_576;

/**
 * Events to `POST /api/events`: batched, gzipped, each batch under an Idempotency-Key that it keeps through retries and spool.
 * While the receiver does not take them (away, busy, or the key is wrong) batches go to the spool and from there, oldest first,
 * back to the receiver. An answer about the batch itself (400, 413, 415, 422) refuses it: it is logged, counted and kept in
 * `rejected.ndjson` beside the spool.
 */
export async function createHttpSink(
  options: HttpSinkOptions,
  { log, random = Math.random }: { readonly log: DetectorLog; readonly random?: () => number },
): Promise<HttpSink> {
  const { spoolDirectory, maxSpoolBytes = 64 * MIB, timeoutMs = 10_000, closeTimeoutMs = 5_000 } = options;
  const delays = { baseMs: options.retryBaseMs ?? 500, maxMs: options.retryMaxMs ?? 30_000, random };
  const spool =
    spoolDirectory === null ? null : await openSpool({ directory: spoolDirectory, maxBytes: maxSpoolBytes });
  const closing = new AbortController();
  const poster = createPoster({ url: options.url, apiKey: options.apiKey, timeoutMs }, closing.signal);
  const stats: HttpSinkStats = { sent: 0, refused: 0, dropped: 0, retries: 0, spooledBytes: spool?.bytes ?? 0 };

  async function settle(batch: SpooledBatch, result: Exclude<PostResult, { outcome: 'later' }>): Promise<void> {
    if (result.outcome === 'taken') {
      stats.sent += batch.events - result.rejected;
      stats.refused += result.rejected;
      if (result.rejected > 0) log('warn', { rejected: result.rejected }, 'the receiver found events invalid');
      return;
    }
    stats.refused += batch.events;
    const kept =
      spoolDirectory !== null && (await keepRejected(join(spoolDirectory, 'rejected.ndjson'), batch, maxSpoolBytes));
    log('error', { status: result.status, events: batch.events, kept }, 'the receiver refused a batch');
  }

  /** Tries until the batch is dealt with; false when `signal` ended the trying. */
  async function sendUntilSettled(batch: SpooledBatch, signal: AbortSignal): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      const result = await poster.post(batch);
      if (result.outcome !== 'later') {
        await settle(batch, result);
        return true;
      }
      stats.retries++;
      if (attempt === 1) log('warn', { reason: result.reason }, 'the receiver does not take events now: trying again');
      await pause(backoffMs(attempt, result.retryAfterMs, delays), signal);
      if (signal.aborted) return false;
    }
  }

  async function putAside(batch: SpooledBatch): Promise<void> {
    if (await spool?.append(batch)) {
      stats.spooledBytes = spool?.bytes ?? 0;
      return;
    }
    stats.dropped += batch.events;
    log('error', { dropped: stats.dropped, spooledBytes: stats.spooledBytes }, 'the spool is full: events dropped');
  }

  async function drainSpool(): Promise<void> {
    for (;;) {
      const batch = await spool?.peek();
      if (!batch || closing.signal.aborted || !(await sendUntilSettled(batch, closing.signal))) return;
      await spool?.remove();
      stats.spooledBytes = spool?.bytes ?? 0;
    }
  }

  let draining: Promise<void> | null = null;
  function startDraining(): void {
    draining ??= drainSpool().then(
      () => {
        draining = null;
        // A batch may have come in after the last look.
        if (spool && !spool.isEmpty && !closing.signal.aborted) startDraining();
      },
      (error: unknown) => {
        draining = null;
        log('error', { reason: String(error) }, 'the spool cannot be read');
      },
    );
  }

  async function deliver(batch: SpooledBatch): Promise<void> {
    if (!spool) {
      if (!(await sendUntilSettled(batch, closing.signal))) throw new UndeliveredError();
      return;
    }
    // What is spooled goes first: the order of events stays.
    if (spool.isEmpty) {
      const result = await poster.post(batch);
      if (result.outcome !== 'later') return settle(batch, result);
      log('warn', { reason: result.reason }, 'the receiver does not take events now: spooling');
    }
    await putAside(batch);
    if (!closing.signal.aborted) startDraining();
  }

  const batcher = createBatcher(
    {
      maxEvents: options.maxBatchEvents ?? 1000,
      maxBytes: options.maxBatchBytes ?? MIB / 2,
      maxAgeMs: options.maxAgeMs ?? 100,
    },
    deliver,
  );
  if (spool && !spool.isEmpty) startDraining();

  return {
    write: (events) => batcher.add(events),
    stats: () => stats,
    async close() {
      const giveUp = setTimeout(() => closing.abort(), closeTimeoutMs);
      await batcher.drain();
      clearTimeout(giveUp);
      closing.abort();
      await draining;
      await spool?.close();
      poster.close();
    },
  };
}
