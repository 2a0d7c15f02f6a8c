import type { RecordIdentity } from '#schemas/topics.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';

/** What the HTTP side needs of the rest of the process. It comes in as arguments: `api/` knows nothing of `ingest/`. */

/** How one part of the process is. `degraded`: it works, but slower or without something. */
export type ComponentState = 'ok' | 'degraded' | 'down';
export type ComponentChecks = Readonly<Record<string, () => ComponentState | Promise<ComponentState>>>;

export interface SubmittedBatch {
  /** Elements in their order, the bytes of each exactly as they came. `index` counts from 0. */
  readonly items: readonly { readonly index: number; readonly text: Buffer }[];
  /** The same key with the same events is taken once within 24 h. */
  readonly idempotencyKey?: string;
  /** The only host whose events are taken; not set: any. Events of others are refused with `other_host` and kept nowhere. */
  readonly hostname?: string;
  /** The request that the events came with; undefined while tracing is off. */
  readonly trace?: TraceContext | undefined;
}

export interface SubmittedItemRejection {
  readonly index: number;
  readonly code: string;
  /** JSON path within that element. */
  readonly path: string;
  readonly message: string;
}

export interface SubmitResult {
  readonly accepted: number;
  /** In their order, the first `MAX_LISTED_REJECTIONS`. */
  readonly rejected: readonly SubmittedItemRejection[];
  /** How many were rejected, listed or not. */
  readonly rejectedTotal: number;
}

/**
 * Resolves when everything is durable: accepted events landed, rejected ones kept as dead letters. `full`: the queue has no room;
 * `unavailable`: the store behind it does not work; nothing was taken either way. `unconfirmed`: the events were handed over, and
 * were not known to be durable in time. They may be stored later.
 */
export type SubmitEvents = (batch: SubmittedBatch) => Promise<SubmitResult | 'full' | 'unavailable' | 'unconfirmed'>;

/** A dead letter as it was kept. */
export interface RedrivableLetter {
  readonly id: string;
  readonly identity: RecordIdentity;
  /** The bytes as they came. */
  readonly raw: Buffer;
  /** A redrive has put it through already. */
  readonly redriven: boolean;
}

export type RedriveOutcome = 'accepted' | 'rejected' | 'already_redriven' | 'not_found' | 'queue_full';

export interface RedriveResult {
  readonly id: string;
  readonly outcome: RedriveOutcome;
  /** Of a record that was refused again: the reason's code. */
  readonly code?: string;
  readonly path?: string;
  readonly message?: string;
}

/** Sends one dead letter through the pipeline again. Asked twice, it doubles nothing. */
export type Redrive = (letter: RedrivableLetter) => Promise<RedriveResult>;

/** The bundled capture of a real attack, for a first look; only where this process has a lane of its own. */
export interface Demo {
  /** Resolves to the number of events when they have landed. */
  replay(): Promise<number>;
  /** Resolves when no query finds anything of it any more. */
  remove(): Promise<void>;
}
