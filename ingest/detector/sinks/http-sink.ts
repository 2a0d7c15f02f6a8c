import type { DetectorLog } from '../log.ts';
import { createBatcher } from './batcher.ts';
import { emptyBatch } from './empty-batch.ts';
import { type EventSink, KeyRefusedError, UndeliveredError } from './event-sink.ts';
import { createPoster, type PostResult } from './post-batch.ts';
import { type Settled, sendUntilSettled } from './send-until-settled.ts';
import { settleBatch } from './settle-batch.ts';
import { openSpool } from './spool.ts';
import type { SpooledBatch } from './spool-record.ts';

export interface HttpSinkOptions {
  /** URL of `POST /api/events` of the receiver. */
  readonly url: URL;
  /** Sent in the header `x-api-key`. */
  readonly apiKey: string | null;
  /**
   * Directory for events while the receiver is unavailable, and for rejected events. If null, events wait in memory and
   * the source is paused.
   */
  readonly spoolDirectory: string | null;
  readonly maxSpoolBytes?: number;
  readonly maxBatchEvents?: number;
  readonly maxBatchBytes?: number;
  /** Maximum time until an event is sent, ms. */
  readonly maxAgeMs?: number;
  /** Timeout of one attempt, ms. */
  readonly timeoutMs?: number;
  readonly retryBaseMs?: number;
  readonly retryMaxMs?: number;
  /** How long `close` continues to send after the last accepted batch, ms. The rest goes to the spool. */
  readonly closeTimeoutMs?: number;
}

export interface HttpSinkStats {
  sent: number;
  /** Number of events of rejected batches, and of single events that the receiver rejected. */
  refused: number;
  /** Number of events dropped because the spool was full. */
  dropped: number;
  retries: number;
  spooledBytes: number;
}

export interface HttpSink extends EventSink {
  stats(): Readonly<HttpSinkStats>;
}

const MIB = 1_048_576;
/** Maximum delay of the start if the receiver does not respond. */
const MAX_KEY_CHECK_MS = 3_000;

/**
 * Sends events to `POST /api/events` in gzipped batches. Each batch keeps its Idempotency-Key through retries and
 * spool.
 *
 * While the receiver accepts no batches (unavailable, busy, or the key is invalid), they go to the spool, and later to
 * the receiver, oldest first. A response about the batch itself (400, 413, 415, 422) rejects it: the batch is logged,
 * counted and appended to `rejected.ndjson` next to the spool. The same applies to single events that the receiver
 * neither accepts nor keeps (those of another host).
 *
 * The key is checked at start: this function rejects with `KeyRefusedError` if the receiver rejects it (401, 403). If
 * the receiver is unavailable at start, the first batch checks the key, and its write rejects. Batches that are already
 * in the spool wait for another key, as do all batches after a key was accepted; the error is logged repeatedly.
 * Long: its functions share the spool, the poster and the statistics.
 */
export async function createHttpSink(
  options: HttpSinkOptions,
  { log, random = Math.random }: { readonly log: DetectorLog; readonly random?: () => number },
): Promise<HttpSink> {
  const { spoolDirectory, maxSpoolBytes = 64 * MIB, timeoutMs = 10_000, closeTimeoutMs = 15_000 } = options;
  const delays = { baseMs: options.retryBaseMs ?? 500, maxMs: options.retryMaxMs ?? 30_000, random };
  const spool =
    spoolDirectory === null ? null : await openSpool({ directory: spoolDirectory, maxBytes: maxSpoolBytes });
  const closing = new AbortController();
  const poster = createPoster(options, closing.signal);
  const stats: HttpSinkStats = { sent: 0, refused: 0, dropped: 0, retries: 0, spooledBytes: spool?.bytes ?? 0 };

  /** True after the receiver has accepted or rejected a batch itself, which shows that the key is valid. */
  let keyAccepted = false;
  let settledAt = Date.now();

  async function post(batch: SpooledBatch, attemptMs = timeoutMs): Promise<PostResult> {
    const result = await poster.post(batch, attemptMs);
    if (result.outcome !== 'later') {
      keyAccepted = true;
      settledAt = Date.now();
    }
    return result;
  }

  /**
   * Posts a batch that its source still has. If no request with the key ever succeeded, a rejected key is reported to
   * the source, which keeps the events.
   */
  async function postWithValidKey(batch: SpooledBatch, attemptMs?: number): Promise<PostResult> {
    const result = await post(batch, attemptMs);
    if (result.outcome === 'later' && result.keyRefused && !keyAccepted)
      throw new KeyRefusedError(options.url, result.reason);
    return result;
  }

  const settle = (batch: SpooledBatch, result: Settled): Promise<void> =>
    settleBatch(batch, result, { stats, directory: spoolDirectory, maxBytes: maxSpoolBytes, log });

  /** Returns false if the sink was closed before the batch was settled. */
  async function deliverWithRetries(
    batch: SpooledBatch,
    attempt: (batch: SpooledBatch) => Promise<PostResult>,
  ): Promise<boolean> {
    const retried = () => {
      stats.retries++;
    };
    const result = await sendUntilSettled(() => attempt(batch), closing.signal, { delays, log, retried });
    if (result !== null) await settle(batch, result);
    return result !== null;
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
      if (!batch || closing.signal.aborted || !(await deliverWithRetries(batch, post))) return;
      await spool?.remove();
      stats.spooledBytes = spool?.bytes ?? 0;
    }
  }

  let draining: Promise<void> | null = null;
  function startDraining(): void {
    draining ??= drainSpool().then(
      () => {
        draining = null;
        // A batch may have been spooled after the last check.
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
      if (!(await deliverWithRetries(batch, postWithValidKey))) throw new UndeliveredError();
      return;
    }
    // Spooled batches are sent first, which keeps the order of events.
    if (spool.isEmpty) {
      const result = await postWithValidKey(batch);
      if (result.outcome !== 'later') return settle(batch, result);
      log('warn', { reason: result.reason }, 'the receiver accepts no events, spooling');
    }
    await putAside(batch);
    if (!closing.signal.aborted) startDraining();
  }

  const batcher = createBatcher(batchLimits(options), deliver);
  /** Checks the key at start with a spooled batch or an empty one, because a host may have no event for months. */
  async function checkKey(): Promise<void> {
    const waiting = (await spool?.peek()) ?? null;
    const attemptMs = waiting === null ? Math.min(timeoutMs, MAX_KEY_CHECK_MS) : timeoutMs;
    const result = await postWithValidKey(waiting ?? emptyBatch(), attemptMs);
    if (spool === null || waiting === null) return;
    if (result.outcome !== 'later') {
      await settle(waiting, result);
      await spool.remove();
      stats.spooledBytes = spool.bytes;
    }
    if (!spool.isEmpty) startDraining();
  }

  try {
    await checkKey();
  } catch (error) {
    await spool?.close();
    poster.close();
    throw error;
  }

  return {
    write: (events) => batcher.add(events),
    stats: () => stats,
    backlog: () => ({ oldestMs: spool?.oldestMs ?? null, refused: stats.refused, dropped: stats.dropped }),
    async close() {
      const timer = afterSilence(
        closeTimeoutMs,
        () => settledAt,
        () => closing.abort(),
      );
      await batcher.drain();
      timer.cancel();
      closing.abort();
      await draining;
      if (spool && !spool.isEmpty)
        log('warn', { spooledBytes: spool.bytes }, 'events wait in the spool: the next run sends them');
      await spool?.close();
      poster.close();
    },
  };
}

function batchLimits({ maxBatchEvents = 10_000, maxBatchBytes = 4 * MIB, maxAgeMs = 100 }: HttpSinkOptions) {
  return { maxEvents: maxBatchEvents, maxBytes: maxBatchBytes, maxAgeMs };
}

/** Calls `end` when `timeoutMs` have passed both since now and since `lastMs()`. */
function afterSilence(timeoutMs: number, lastMs: () => number, end: () => void): { cancel(): void } {
  const beganAt = Date.now();
  const check = () => {
    const left = Math.max(lastMs(), beganAt) + timeoutMs - Date.now();
    if (left <= 0) end();
    else timer = setTimeout(check, left);
  };
  let timer = setTimeout(check, timeoutMs);
  return { cancel: () => clearTimeout(timer) };
}
