import type { RecordIdentity } from '#schemas/topics.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';

/** Interfaces to the rest of the process. They are passed as arguments, because `api/` does not import `ingest/`. */

/** State of a component. `degraded`: it works, but more slowly or with reduced function. */
export type ComponentState = 'ok' | 'degraded' | 'down';
export type ComponentChecks = Readonly<Record<string, () => ComponentState | Promise<ComponentState>>>;

export interface SubmittedBatch {
  /** Elements in order with their exact bytes. `index` starts at 0. */
  readonly items: readonly { readonly index: number; readonly text: Buffer }[];
  /** The same key with the same events is accepted once within 24 h. */
  readonly idempotencyKey?: string;
  /**
   * The only host whose events are accepted. If not set, any host. Events of other hosts are rejected with `other_host`
   * and not stored.
   */
  readonly hostname?: string;
  /** Trace context of the request that submitted the events. Undefined while tracing is off. */
  readonly trace?: TraceContext | undefined;
}

export interface SubmittedItemRejection {
  readonly index: number;
  readonly code: string;
  /** JSON path within the element. */
  readonly path: string;
  readonly message: string;
}

export interface SubmitResult {
  readonly accepted: number;
  /** The first `MAX_LISTED_REJECTIONS` rejections, in order. */
  readonly rejected: readonly SubmittedItemRejection[];
  /** Total number of rejections, listed or not. */
  readonly rejectedTotal: number;
}

/**
 * Submits events. Resolves when everything is durable: accepted events are stored, rejected ones are dead letters.
 * - `full`: the queue has no room. Nothing was accepted.
 * - `unavailable`: the store of the queue is unavailable. Nothing was accepted.
 * - `unconfirmed`: the events were handed over, but not confirmed as durable in time. They may be stored later.
 */
export type SubmitEvents = (batch: SubmittedBatch) => Promise<SubmitResult | 'full' | 'unavailable' | 'unconfirmed'>;

/** A stored dead letter. */
export interface RedrivableLetter {
  readonly id: string;
  readonly identity: RecordIdentity;
  /** The original bytes. */
  readonly raw: Buffer;
  /** True if a redrive has already succeeded. */
  readonly redriven: boolean;
}

export type RedriveOutcome = 'accepted' | 'rejected' | 'already_redriven' | 'not_found' | 'queue_full';

export interface RedriveResult {
  readonly id: string;
  readonly outcome: RedriveOutcome;
  /** Reason code of a record that was rejected again. */
  readonly code?: string;
  readonly path?: string;
  readonly message?: string;
}

/** Sends one dead letter through the pipeline again. Idempotent. */
export type Redrive = (letter: RedrivableLetter) => Promise<RedriveResult>;

/** The bundled capture of a real attack, for a first look. Available only if this process has its own lane for it. */
export interface Demo {
  /** Resolves to the number of events when they are stored. */
  replay(): Promise<number>;
  /** Resolves when no query returns its data any more. */
  remove(): Promise<void>;
}
