import type { Detection } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import type { InternalEvent } from '#schemas/events/event.ts';
import type { RecordIdentity } from '#schemas/topics.ts';

/** One event to be written: the parsed event, its instant, and the received JSON text. */
export interface EventRecord {
  /** Integers are exact: a number if it is safe, a bigint above. */
  readonly event: InternalEvent;
  /** The parsed `event.timestamp`. */
  readonly time: Instant;
  /** The received JSON text, without the registry frame. */
  readonly raw: string | Buffer;
  /** Where the event is stored. Absent for events that were never stored, as in `trapline analyze`. */
  readonly identity?: RecordIdentity;
  /** Time of receipt, epoch milliseconds. */
  readonly received?: number;
}

/** One rejected record to be written. */
export interface DeadLetterRecord {
  readonly identity: RecordIdentity;
  /** Time of receipt, epoch milliseconds. */
  readonly received: number;
  /** A code of `schemas/rejection-codes.ts`. */
  readonly code: string;
  /** JSON path of the offending value. */
  readonly path: string;
  readonly message: string;
  /** The received bytes, which may be anything. */
  readonly raw: Buffer;
  /** RFC 3339 time at which a redrive succeeded; null or absent if none has. */
  readonly redriven?: string | null;
}

/** The kinds of records that can be written. */
export interface RecordOf {
  readonly events: EventRecord;
  readonly detections: Detection;
  readonly 'dead-letters': DeadLetterRecord;
}
export type RecordKind = keyof RecordOf;
export const RECORD_KINDS = ['events', 'detections', 'dead-letters'] as const satisfies readonly RecordKind[];
