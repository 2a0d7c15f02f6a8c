import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import type { ChunkOutcome } from '../pipeline/record.ts';

/** The events of one request, each with its exact JSON text. */
export interface Submission {
  readonly items: readonly { readonly index: number; readonly text: Buffer }[];
  /** A repeated submission with the same key within 24 h stores nothing and gets the same response. */
  readonly idempotencyKey?: string | undefined;
  /** If set, only events of this host are accepted. */
  readonly hostname?: string | undefined;
  /** Trace context of the request. */
  readonly trace?: TraceContext | undefined;
}

/**
 * `full`: the queue is full. `unavailable`: the store is unavailable. In both cases, no event was accepted.
 * `unconfirmed`: the events were passed on, but were not confirmed as durable in time. They may be stored later. Only a
 * repetition with the same idempotency key is safe from duplicates.
 */
export type SubmissionAnswer = ChunkOutcome | 'full' | 'unavailable' | 'unconfirmed';

/** Submits events. Resolves within a bounded time when all of them are durable. Rejects if they may not be. */
export type SubmitEvents = (submission: Submission) => Promise<SubmissionAnswer>;
