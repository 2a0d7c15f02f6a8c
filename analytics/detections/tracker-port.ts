import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';

/** Changes since the previous `drain`. */
export interface TrackerOutput {
  /** Every detection that opened or grew, once, in its latest revision. They are inserted into ClickHouse. */
  readonly changed: readonly Detection[];
  /**
   * Revisions for the detections topic: the opening one, and those at which `evidenceCount` reached the next power of
   * two. The selection depends on the events alone, never on their batches. While an exception covers a detection, no
   * revision is announced. The first one that the exception no longer covers is announced.
   */
  readonly announced: readonly Detection[];
}

export interface TrackerStats {
  readonly hosts: number;
  readonly programs: number;
  readonly openEpisodes: number;
  /** Number of programs evicted because the memory limit was reached. */
  readonly evictions: number;
}

/**
 * Runs the rules over the events of one partition, in order. A pure function of the events: no clock, no I/O, no
 * randomness. Each (topic, partition) has its own tracker.
 */
export interface Tracker {
  /**
   * Adds an event. The tracker may buffer it until further events arrive or one of the functions below is called; see
   * `state/waiting-events.ts`.
   */
  feed(accepted: AcceptedEvent): void;
  /** True when the next `drain` announces a detection. */
  hasAnnouncements(): boolean;
  /** Returns the collected changes and clears them. Cheap if nothing changed. */
  drain(): TrackerOutput;
  /**
   * Returns the whole state as text chunks of at most about 1 MiB. A new tracker that restores them continues with
   * identical results.
   */
  snapshot(): string[];
  /** Restores a state. Throws `SnapshotVersionError` if another version of the state format wrote it. */
  restore(chunks: readonly string[]): void;
  stats(): TrackerStats;
}
