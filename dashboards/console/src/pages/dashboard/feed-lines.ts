import type { FeedLine } from './feed-line.ts';

/** More than that nobody reads, and the browser should stay quick. */
export const MAX_LINES = 500;

/** What the live feed shows, newest first; what comes while it is paused waits beside it. */
export interface FeedLines {
  readonly shown: readonly FeedLine[];
  readonly waiting: readonly FeedLine[];
  /** Came while paused, those that no longer fit included. */
  readonly missed: number;
}

export const NO_LINES: FeedLines = { shown: [], waiting: [], missed: 0 };

/** Takes lines in, oldest first. */
export function takeIn(lines: FeedLines, arrived: readonly FeedLine[], paused: boolean): FeedLines {
  if (arrived.length === 0) return lines;
  if (paused) return { ...lines, waiting: before(lines.waiting, arrived), missed: lines.missed + arrived.length };
  return { shown: before(lines.shown, arrived), waiting: [], missed: 0 };
}

/** Shows what has waited. */
export function goOn({ shown, waiting }: FeedLines): FeedLines {
  return { shown: [...waiting, ...shown].slice(0, MAX_LINES), waiting: [], missed: 0 };
}

function before(lines: readonly FeedLine[], arrived: readonly FeedLine[]): FeedLine[] {
  return [...arrived.toReversed(), ...lines].slice(0, MAX_LINES);
}
