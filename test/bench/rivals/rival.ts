import type { AcceptedEvent } from '#schemas/events/accepted.ts';

/** A kernel message as a log collector receives it. */
export interface TimedLine {
  /** Seconds by the log. They never decrease, like arrival times. */
  readonly at: number;
  readonly text: string;
}

export interface TimedEvent {
  readonly at: number;
  readonly event: AcceptedEvent['event']['event'];
}

/** A log in the forms that all detectors receive. */
export interface RivalCapture {
  readonly lines: readonly TimedLine[];
  /** Events of our parser, for rivals whose rules use parsed crashes. */
  readonly events: readonly TimedEvent[];
}

/** An alert of a rival. */
export interface RivalAlert {
  readonly at: number;
  /** Null if the alert names only a host. */
  readonly procname: string | null;
}

/** The published rules of another detector, reimplemented from their description. */
export interface Rival {
  readonly name: string;
  /** Address of the published rule. */
  readonly url: string;
  alerts(capture: RivalCapture): readonly RivalAlert[];
}
