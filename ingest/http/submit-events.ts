import { HEADERS } from '#schemas/topics.ts';
import type { EventProducer, OutgoingMessage } from '../kafka/port.ts';
import { type DecodeLimits, decodeRecord } from '../pipeline/decode.ts';
import type { PipelineLane } from '../pipeline/lane.ts';
import { bytesOf, type ChunkOutcome, COUNTED, type PipelineRecord, type RejectedRecord } from '../pipeline/record.ts';
import type { Validate } from '../pipeline/validate.ts';

/** Events somebody handed over in one go, each with its exact JSON text. */
export interface Submission {
  readonly items: readonly { readonly index: number; readonly text: Buffer }[];
  /** A repeat of a submission with the same key within 24 h adds nothing and is answered alike. */
  readonly idempotencyKey?: string | undefined;
}

/** `full`: nothing was taken; come again later. */
export type SubmissionAnswer = ChunkOutcome | 'full';

/** Takes events in and answers when all of them are durable. Rejects when they may not be. */
export type SubmitEvents = (submission: Submission) => Promise<SubmissionAnswer>;

/** Without Kafka: the events go through a lane of this process. Durable means landed in ClickHouse. */
export function createLaneSubmission(lane: PipelineLane): SubmitEvents {
  return ({ items, idempotencyKey }) => {
    const records = items.map(({ text }, position) => toRecord(text, idempotencyKey, position));
    const bytes = bytesOf(records);
    if (!lane.fits(bytes)) return Promise.resolve('full');
    return new Promise((resolve, reject) => {
      lane.offer({ records, bytes, landed: (outcome) => resolve(reindex(outcome, items)), failed: reject });
    });
  };
}

export interface TopicSubmissionDeps {
  readonly producer: EventProducer;
  readonly topic: string;
  readonly limits: DecodeLimits;
  readonly validate: Validate;
  /** Bytes that may be on their way to the broker at once. */
  readonly maxBytesInFlight: number;
}

/**
 * With Kafka: everything goes onto the events topic, refused records too, and `ingest` makes dead letters of those as it
 * does of any other. The answer says the same as `ingest` will, because it comes from the same steps. Durable means that all
 * in-sync replicas have it.
 */
export function createTopicSubmission(deps: TopicSubmissionDeps): SubmitEvents {
  const { producer, topic, limits, validate, maxBytesInFlight } = deps;
  let inFlight = 0;

  return async ({ items, idempotencyKey }) => {
    const records = items.map(({ text }, position) => toRecord(text, idempotencyKey, position));
    const bytes = bytesOf(records);
    if (inFlight > 0 && inFlight + bytes > maxBytesInFlight) return 'full';
    inFlight += bytes;
    try {
      const rejected: RejectedRecord[] = [];
      const messages = records.map((record, index) => toMessage(record, index, rejected));
      if (messages.length > 0) await producer.send(topic, messages);
      return reindex({ accepted: records.length - rejected.length, rejected }, items);
    } finally {
      inFlight -= bytes;
    }
  };

  function toMessage({ value, ingestId }: PipelineRecord, index: number, rejected: RejectedRecord[]): OutgoingMessage {
    const headers = ingestId === '' ? {} : { [HEADERS.ingestId]: ingestId };
    const decoded = decodeRecord(value, limits);
    const result = decoded.ok ? validate(decoded.text) : decoded;
    if (!result.ok) {
      const { code, path, message } = result;
      rejected.push({ index, code, path, message });
      // A repeat has to meet the first one in the same partition to be known for one.
      return { key: ingestId === '' ? null : ingestId, value: value ?? '', headers };
    }
    return { key: result.event.hostname ?? null, value: value ?? '', headers };
  }
}

function toRecord(text: Buffer, idempotencyKey: string | undefined, position: number): PipelineRecord {
  const ingestId = idempotencyKey === undefined ? '' : `${idempotencyKey}/${position}`;
  return { offset: COUNTED, key: null, value: text, ingestId };
}

/** Positions in the chunk back to the sender's own indexes. */
function reindex({ accepted, rejected }: ChunkOutcome, items: Submission['items']): ChunkOutcome {
  return { accepted, rejected: rejected.map((one) => ({ ...one, index: items[one.index]?.index ?? one.index })) };
}

/** Keys come from outside and become part of stored ids: printable ASCII, at most 200 characters. */
export function isIdempotencyKey(key: string): boolean {
  return key.length > 0 && key.length <= 200 && /^[\x21-\x7e]+$/.test(key);
}
