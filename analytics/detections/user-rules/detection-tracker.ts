import type { DetectionSettings } from '../settings.ts';
import { createTracker } from '../tracker.ts';
import type { Tracker, TrackerOutput } from '../tracker-port.ts';
import { createUserRules } from './engine.ts';

const HEADER = 'trapline-user-rules-state 1';
/** Characters per chunk. */
const CHUNK = 1_000_000;

/**
 * Creates a tracker of the built-in rules and of the enabled user rules. Without user rules, returns the tracker of the
 * built-in rules itself.
 */
export function createDetectionTracker(settings: DetectionSettings): Tracker {
  const tracker = createTracker(settings);
  const engine = createUserRules(settings);
  if (engine === undefined) return { ...tracker, restore: (chunks) => tracker.restore(split(chunks).builtIn) };
  return {
    feed(accepted) {
      tracker.feed(accepted);
      engine.feed(accepted);
    },
    hasAnnouncements: () => tracker.hasAnnouncements() || engine.hasAnnouncements(),
    drain: () => joined(tracker.drain(), engine.drain()),
    snapshot: () => [...tracker.snapshot(), HEADER, ...chunked(engine.snapshot())],
    restore(chunks) {
      const { builtIn, users } = split(chunks);
      tracker.restore(builtIn);
      if (users !== undefined) engine.restore(users);
    },
    stats() {
      const stats = tracker.stats();
      return { ...stats, openEpisodes: stats.openEpisodes + engine.openEpisodes() };
    },
  };
}

function joined(first: TrackerOutput, second: TrackerOutput): TrackerOutput {
  if (second.changed.length === 0 && second.announced.length === 0) return first;
  return { changed: [...first.changed, ...second.changed], announced: [...first.announced, ...second.announced] };
}

/** Splits a snapshot of both kinds of rules, or of the built-in rules alone. */
function split(chunks: readonly string[]): { readonly builtIn: readonly string[]; readonly users: string | undefined } {
  const at = chunks.indexOf(HEADER);
  if (at < 0) return { builtIn: chunks, users: undefined };
  return { builtIn: chunks.slice(0, at), users: chunks.slice(at + 1).join('') };
}

function chunked(text: string): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += CHUNK) chunks.push(text.slice(at, at + CHUNK));
  return chunks;
}
