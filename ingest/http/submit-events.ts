import { setImmediate as nextTurn } from 'node:timers/promises';
import { reject } from '#schemas/events/reject.ts';
import { MAX_LISTED_REJECTIONS } from '#schemas/rejection-codes.ts';
import { HEADERS } from '#schemas/topics.ts';
import { traceHeaders } from '#schemas/tracing/trace-context.ts';
import type { EventProducer, OutgoingMessage } from '../kafka/port.ts';
import { type DecodeLimits, decodeRecord } from '../pipeline/decode.ts';
import type { PipelineLane } from '../pipeline/pipeline-lane.ts';
import { bytesOf, COUNTED, type PipelineRecord } from '../pipeline/pipeline-record.ts';
import type { ChunkOutcome, RejectedRecord } from '../pipeline/record.ts';
import type { Validate } from '../pipeline/validate.ts';
import { createHostCheck } from './host-check.ts';
import type { Submission, SubmitEvents } from './submission.ts';

/**
 * Messages of at least this size are sent alone, because with key and headers the topic may reject them for their size.
 */
const LARGE_BYTES = 400_000;
const BEGINNING_BYTES = 16_384;
/** Maximum time to check the events of one submission before yielding to the event loop, ms. */
const SLICE_MS = 15;

export interface LaneSubmissionOptions {
  /** Maximum time for landing before the result is `unconfirmed`, ms. Default: no limit. */
  readonly timeoutMs?: number;
}

/** A lane whose landing has failed for this long accepts nothing more, because the store is unavailable or full. */
const UNAVAILABLE_AFTER_MS = 5_000;

/** Submits events through a lane of this process, without Kafka. Durable means landed in ClickHouse. */
export function createLaneSubmission(lane: PipelineLane, { timeoutMs }: LaneSubmissionOptions = {}): SubmitEvents {
  return createHostCheck(async ({ items, idempotencyKey, hostname, trace }) => {
    const { failingSinceMs } = lane.stats();
    if (failingSinceMs !== undefined && Date.now() - failingSinceMs >= UNAVAILABLE_AFTER_MS) return 'unavailable';
    const records = items.map(({ text }, position) => toRecord(text, idempotencyKey, position));
    const bytes = bytesOf(records);
    if (!lane.fits(bytes)) return 'full';
    const landed = new Promise<ChunkOutcome>((resolve, reject) => {
      const traces = trace?.sampled ? [{ context: trace, host: hostname ?? null }] : undefined;
      lane.offer({ records, bytes, traces, landed: resolve, failed: reject });
    });
    const outcome = await (timeoutMs === undefined ? landed : withinTime(landed, timeoutMs));
    return outcome === undefined ? 'unconfirmed' : reindex(outcome, items);
  });
}

/** Resolves to undefined on timeout. */
async function withinTime<T>(result: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, timeoutMs, undefined);
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}

export interface TopicSubmissionDeps {
  readonly producer: EventProducer;
  readonly topic: string;
  readonly limits: DecodeLimits;
  readonly validate: Validate;
  /** Returns true if the broker rejected a message because of its size. */
  readonly isTooLarge: (error: unknown) => boolean;
  /** Maximum number of bytes in flight to the broker. */
  readonly maxBytesInFlight: number;
  /** Returns false while the brokers do not respond. Nothing is then accepted. Default: always true. */
  readonly isUp?: () => Promise<boolean>;
  /** Maximum time for the brokers to store a submission, ms. Default: no limit. */
  readonly timeoutMs?: number;
}

/**
 * Submits events to the events topic. Rejected records are sent too, and `ingest` turns them into dead letters like any
 * other. The result equals what `ingest` will decide, because it uses the same steps. Durable means stored on all
 * in-sync replicas.
 */
export function createTopicSubmission(deps: TopicSubmissionDeps): SubmitEvents {
  const { topic, limits, validate, isTooLarge, maxBytesInFlight, isUp = async () => true, timeoutMs } = deps;
  let inFlight = 0;

  return createHostCheck(async ({ items, idempotencyKey, trace }) => {
    const records = items.map(({ text }, position) => toRecord(text, idempotencyKey, position));
    const bytes = bytesOf(records);
    if (inFlight > 0 && inFlight + bytes > maxBytesInFlight) return 'full';
    inFlight += bytes;
    const producer = untilTimeout(deps.producer, timeoutMs);
    try {
      if (!(await isUp())) return 'unavailable';
      const rejected: RejectedRecord[] = [];
      const traced = trace?.sampled ? traceHeaders(trace) : {};
      const usual: OutgoingMessage[] = [];
      const large: { readonly index: number; readonly message: OutgoingMessage }[] = [];
      let endBy = performance.now() + SLICE_MS;
      for (const [index, record] of records.entries()) {
        if (performance.now() >= endBy) {
          await nextTurn();
          endBy = performance.now() + SLICE_MS;
        }
        const message = toMessage(record, index, { rejected, trace: traced });
        if (message.value.length < LARGE_BYTES) usual.push(message);
        else large.push({ index, message });
      }
      if (usual.length > 0) await producer.send(topic, usual);
      for (const { index, message } of large) await sendLarge(producer, index, message, rejected);
      rejected.sort((a, b) => a.index - b.index);
      return reindex(
        {
          accepted: records.length - rejected.length,
          rejected: rejected.slice(0, MAX_LISTED_REJECTIONS),
          rejectedTotal: rejected.length,
        },
        items,
      );
    } catch (error) {
      if (!isSendTimeout(error)) throw error;
      return producer.began() ? 'unconfirmed' : 'unavailable';
    } finally {
      inFlight -= bytes;
    }
  });

  /**
   * Sends a large record alone. If it is too large for the topic, only this record is rejected. Its beginning is sent
   * instead: it is invalid JSON and thus becomes a visible dead letter.
   */
  async function sendLarge(
    producer: Pick<EventProducer, 'send'>,
    index: number,
    message: OutgoingMessage,
    rejected: RejectedRecord[],
  ): Promise<void> {
    try {
      await producer.send(topic, [message]);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      await producer.send(topic, [{ ...message, key: null, value: message.value.slice(0, BEGINNING_BYTES) }]);
      if (rejected.some((one) => one.index === index)) return;
      const { code, path, message: text } = reject('record_too_large');
      rejected.push({ index, code, path, message: text });
    }
  }

  function toMessage(
    { value, ingestId }: PipelineRecord,
    index: number,
    { rejected, trace }: { readonly rejected: RejectedRecord[]; readonly trace: Record<string, string> },
  ): OutgoingMessage {
    const headers = ingestId === '' ? trace : { ...trace, [HEADERS.ingestId]: ingestId };
    const decoded = decodeRecord(value, limits);
    const result = decoded.ok ? validate(decoded.payload) : decoded;
    if (!result.ok) {
      const { code, path, message } = result;
      rejected.push({ index, code, path, message });
      return { key: keyWithoutHost(ingestId), value: value ?? '', headers };
    }
    return { key: result.event.hostname ?? keyWithoutHost(ingestId), value: value ?? '', headers };
  }
}

/**
 * Returns a producer for one submission, with a timeout for all its requests together. `began` is true if something may
 * have been stored.
 */
function untilTimeout(producer: EventProducer, timeoutMs: number | undefined) {
  const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  let begun = false;
  const onBegun = () => {
    begun = true;
  };
  return {
    send: (topic: string, messages: readonly OutgoingMessage[]) => producer.send(topic, messages, { signal, onBegun }),
    began: () => begun,
  };
}

function isSendTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/**
 * Returns the key of a record without a host. A repeated record must reach the same partition as the first one to be
 * recognised.
 */
function keyWithoutHost(ingestId: string): string | null {
  return ingestId === '' ? null : ingestId;
}

function toRecord(text: Buffer, idempotencyKey: string | undefined, position: number): PipelineRecord {
  const ingestId = idempotencyKey === undefined ? '' : `${idempotencyKey}/${position}`;
  return { offset: COUNTED, key: null, value: text, ingestId };
}

/** Maps positions in the chunk back to the indexes of the sender. */
function reindex({ rejected, ...counts }: ChunkOutcome, items: Submission['items']): ChunkOutcome {
  return { ...counts, rejected: rejected.map((one) => ({ ...one, index: items[one.index]?.index ?? one.index })) };
}
