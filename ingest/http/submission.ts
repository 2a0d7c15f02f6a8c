import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import type { ChunkOutcome } from '../pipeline/record.ts';

/** Events of one request, each with its exact JSON text. */
export interface Submission {
  readonly items: readonly { readonly index: number; readonly text: Buffer }[];
  /** A repeat of a submission with the same key within 24 h adds nothing and is answered alike. */
  readonly idempotencyKey?: string | undefined;
  /** The only host whose events are taken; not set: any. */
  readonly hostname?: string | undefined;
  /** The request that the events came with. */
  readonly trace?: TraceContext | undefined;
}

/**
 * `full`: the queue has no room. `unavailable`: the store behind it does not work. Nothing was taken either way.
 * `unconfirmed`: the events were handed over, and it is not known in time whether they are durable. They may be stored later; only
 * a repeat with the same idempotency key is sure not to double them.
 */
export type SubmissionAnswer = ChunkOutcome | 'full' | 'unavailable' | 'unconfirmed';

/** Takes events in and answers when all of them are durable, within a bounded time. Rejects when they may not be. */
export type SubmitEvents = (submission: Submission) => Promise<SubmissionAnswer>;
