import type { Detection } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import { type Episode, extend, nextPowerOfTwo } from './episode.ts';
import type { TrackerOutput } from './tracker-port.ts';

/** Collects changed and announced detections until it is drained. */
export interface Outbox {
  /**
   * Records that the episode changed. All its fields must be up to date except time and revision, which this function
   * sets.
   */
  revised(episode: Episode, time: Instant, sequence: number): void;
  /** True when the next `drain` announces a detection. */
  hasAnnouncements(): boolean;
  drain(): TrackerOutput;
  readonly pending: { changed: Set<Episode>; announced: Detection[] };
}

const NOTHING: TrackerOutput = { changed: [], announced: [] };

/**
 * Creates an outbox. `silenced` returns true while an exception covers the episode: its revisions are stored but not
 * announced. The first revision that is no longer covered is announced.
 */
export function createOutbox(view: (episode: Episode) => Detection, silenced: (episode: Episode) => boolean): Outbox {
  const pending = { changed: new Set<Episode>(), announced: [] as Detection[] };
  /**
   * The episode added to `changed` last. An attack changes the same episode with each event, so the set need not be
   * accessed.
   */
  let latest: Episode | undefined;
  return {
    revised(episode, time, sequence) {
      extend(episode, time);
      episode.revision += 1;
      episode.touched = sequence;
      if (episode !== latest) pending.changed.add(episode);
      latest = episode;
      if (episode.evidence < episode.announceAt || silenced(episode)) return;
      episode.announceAt = nextPowerOfTwo(episode.evidence);
      pending.announced.push(view(episode));
    },
    hasAnnouncements: () => pending.announced.length > 0,
    drain() {
      if (pending.changed.size === 0 && pending.announced.length === 0) return NOTHING;
      const output = { changed: [...pending.changed].map(view), announced: pending.announced };
      pending.changed.clear();
      latest = undefined;
      pending.announced = [];
      return output;
    },
    pending,
  };
}
