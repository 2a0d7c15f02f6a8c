import type { AcceptedEvent } from '#schemas/events/accepted.ts';

/** A kernel message as a log collector receives it. */
export interface TimedLine {
  /** Seconds by the log; they never fall, as the time of arrival does not. */
  readonly at: number;
  readonly text: string;
}

export interface TimedEvent {
  readonly at: number;
  readonly event: AcceptedEvent['event']['event'];
}

/** One log as all detectors get it. */
export interface RivalCapture {
  readonly lines: readonly TimedLine[];
  /** The events of our parser, for rivals whose rules judge parsed crashes. */
  readonly events: readonly TimedEvent[];
}

/** An alert of a rival. */
export interface RivalAlert {
  readonly at: number;
  /** Null: the alert names a host and no program. */
  readonly procname: string | null;
}

/** Another detector's published rules, written again from their description. */
export interface Rival {
  readonly name: string;
  /** Where the rule is published. */
  readonly url: string;
  alerts(capture: RivalCapture): readonly RivalAlert[];
}
