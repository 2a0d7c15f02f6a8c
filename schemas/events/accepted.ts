import type { RejectionReason } from '../rejection-codes.ts';
import type { InternalEvent } from './event.ts';

/** An instant of the wire, exact to the nanosecond. `seconds` may be negative; `nanos` is 0 to 999,999,999. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** An event that its version's schema accepted, converted to the internal event, with every 64-bit digit exact. */
export interface AcceptedEvent {
  readonly ok: true;
  readonly event: InternalEvent;
  /** `event.timestamp`, parsed once: the time everything downstream goes by. */
  readonly time: Instant;
}

/** A refusal: what is wrong, where, and whether trying again later can help. */
export interface Rejection {
  readonly ok: false;
  readonly code: RejectionReason;
  /** JSON path of the offending value, e.g. `$.event.errcode.reason`; `$` is the whole record. */
  readonly path: string;
  readonly message: string;
}

export type ReadResult = AcceptedEvent | Rejection;
