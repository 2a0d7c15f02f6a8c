import type { Detection } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import type { InternalEvent } from '#schemas/events/event.ts';
import type { RecordIdentity } from '#schemas/topics.ts';

/** One event on its way out: what was read, its instant, and the JSON text as it came. */
export interface EventRecord {
  /** Integers exact: a number while safe, a bigint above. */
  readonly event: InternalEvent;
  /** `event.timestamp`, parsed. */
  readonly time: Instant;
  /** The JSON text as it came, registry frame taken off. */
  readonly raw: string | Buffer;
  /** Where it landed; absent for what never was in a store, as in `trapline analyze`. */
  readonly identity?: RecordIdentity;
  /** Epoch milliseconds of receipt. */
  readonly received?: number;
}

/** One refused record on its way out. */
export interface DeadLetterRecord {
  readonly identity: RecordIdentity;
  /** Epoch milliseconds of receipt. */
  readonly received: number;
  /** A code of `schemas/rejection-codes.ts`. */
  readonly code: string;
  /** JSON path of the offending value. */
  readonly path: string;
  readonly message: string;
  /** The bytes as they came: anything at all. */
  readonly raw: Buffer;
  /** RFC 3339 time at which a redrive put the record through; null or absent while it has not. */
  readonly redriven?: string | null;
}

/** The kinds of record that leave the service. */
export interface RecordOf {
  readonly events: EventRecord;
  readonly detections: Detection;
  readonly 'dead-letters': DeadLetterRecord;
}
export type RecordKind = keyof RecordOf;
export const RECORD_KINDS = ['events', 'detections', 'dead-letters'] as const satisfies readonly RecordKind[];
