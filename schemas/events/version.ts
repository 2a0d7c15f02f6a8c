import type { InternalEvent } from './event.ts';

/** One version of the event format. A file in `versions/` exports it as `version`. */
export interface EventVersion {
  /** The exact value of the field `version`. */
  readonly version: string;
  /** JSON Schema of the whole event, including the outer object. */
  readonly schema: object;
  /**
   * Converts an event that the schema accepted to the internal event. Pure function; 64-bit integers are exact, as
   * number or bigint. If absent, the event has the internal shape already.
   */
  upcast?(event: object): InternalEvent;
  /** True if the description of the HTTP API includes this schema. Setting it changes the generated API pages. */
  readonly described?: true;
}
