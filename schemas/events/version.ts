import type { InternalEvent } from './event.ts';

/** One version of the event format: a file in `versions/` that exports it as `version`. */
export interface EventVersion {
  /** The exact value of the `version` field. */
  readonly version: string;
  /** JSON Schema of the whole event, wrapper included. */
  readonly schema: object;
  /**
   * Converts an event that the schema accepted to the internal event. A pure function; 64-bit fields are exact, as numbers or bigints.
   * Absent: the event has the internal shape as it is.
   */
  upcast?(event: object): InternalEvent;
  /** The description of the HTTP API shows the schema. Its generated pages then change with it. */
  readonly described?: true;
}
