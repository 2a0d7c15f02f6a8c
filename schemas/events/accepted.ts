import type { RejectionReason } from '../rejection-codes.ts';
import type { InternalEvent } from './event.ts';

/**
 * A point in time, exact to the nanosecond. `seconds` counts from the Unix epoch and may be negative; `nanos` is 0 to
 * 999,999,999.
 */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** An event that matches the schema of its version, converted to the internal event. All 64-bit integers are exact. */
export interface AcceptedEvent {
  readonly ok: true;
  readonly event: InternalEvent;
  /** `event.timestamp`, parsed once. All later steps use this time. */
  readonly time: Instant;
}

/** A rejected record: the code, the JSON path and a message. */
export interface Rejection {
  readonly ok: false;
  readonly code: RejectionReason;
  /** JSON path of the invalid value, e.g. `$.event.errcode.reason`. `$` is the whole record. */
  readonly path: string;
  readonly message: string;
}

export type ReadResult = AcceptedEvent | Rejection;
