import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';

/** What changed since the last `drain`. */
export interface TrackerOutput {
  /** Every detection that opened or grew, once, in its latest revision: goes into ClickHouse. */
  readonly changed: readonly Detection[];
  /**
   * Revisions that go onto the detections topic: the opening one and those at which `evidenceCount` reached the next power of two.
   * Which revisions these are depends on the events alone, never on how they were batched. While an exception covers a detection
   * no revision is announced; the first one that it no longer covers is.
   */
  readonly announced: readonly Detection[];
}

export interface TrackerStats {
  readonly hosts: number;
  readonly programs: number;
  readonly openEpisodes: number;
  /** Programs forgotten because the memory bound was reached. */
  readonly evictions: number;
}

/**
 * The state machine that runs the rules over one partition's events, in their order. A pure function of the events fed:
 * no clock, no I/O, no randomness. One tracker serves one (topic, partition).
 */
export interface Tracker {
  /** Takes in an event. It may wait until others have come, or until one of the functions below is called: see `state/waiting-events.ts`. */
  feed(accepted: AcceptedEvent): void;
  /** True when the next `drain` announces a detection. */
  hasAnnouncements(): boolean;
  /** Takes what `feed` collected. Cheap when nothing changed. */
  drain(): TrackerOutput;
  /** The whole state as text chunks of at most about 1 MiB. `restore` of it in a new tracker continues exactly. */
  snapshot(): string[];
  /** Throws `SnapshotVersionError` when written by another version of the state format. */
  restore(chunks: readonly string[]): void;
  stats(): TrackerStats;
}
