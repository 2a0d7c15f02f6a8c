import type { Detection } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import { type Episode, extend, nextPowerOfTwo } from './episode.ts';
import type { TrackerOutput } from './tracker-port.ts';

/** Collects what changed until it is drained. */
export interface Outbox {
  /** The episode took in an event; its fields are up to date, but for time and revision, which change here. */
  revised(episode: Episode, time: Instant, sequence: number): void;
  /** True when the next `drain` announces a detection. */
  hasAnnouncements(): boolean;
  drain(): TrackerOutput;
  readonly pending: { changed: Set<Episode>; announced: Detection[] };
}

const NOTHING: TrackerOutput = { changed: [], announced: [] };

/**
 * `silenced` is true while an exception covers the episode: its record continues, but it is not announced. The first revision that
 * is no longer covered is.
 */
export function createOutbox(view: (episode: Episode) => Detection, silenced: (episode: Episode) => boolean): Outbox {
  const pending = { changed: new Set<Episode>(), announced: [] as Detection[] };
  /** Is among those that changed: an attack changes the same one with each event. */
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
