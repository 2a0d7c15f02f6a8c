import type { FeedLine } from './feed-line.ts';

/** Maximum number of lines, to limit the work of the browser. */
export const MAX_LINES = 500;

/** Lines of the live feed, newest first. Lines that arrive while it is paused are stored separately. */
export interface FeedLines {
  readonly shown: readonly FeedLine[];
  readonly waiting: readonly FeedLine[];
  /** Number of lines that arrived while paused, including dropped ones. */
  readonly missed: number;
}

export const NO_LINES: FeedLines = { shown: [], waiting: [], missed: 0 };

/** Adds lines. `arrived`: oldest first. */
export function addLines(lines: FeedLines, arrived: readonly FeedLine[], paused: boolean): FeedLines {
  if (arrived.length === 0) return lines;
  if (paused) return { ...lines, waiting: before(lines.waiting, arrived), missed: lines.missed + arrived.length };
  return { shown: before(lines.shown, arrived), waiting: [], missed: 0 };
}

/** Shows the lines that arrived while paused. */
export function resume({ shown, waiting }: FeedLines): FeedLines {
  return { shown: [...waiting, ...shown].slice(0, MAX_LINES), waiting: [], missed: 0 };
}

function before(lines: readonly FeedLine[], arrived: readonly FeedLine[]): FeedLine[] {
  return [...arrived.toReversed(), ...lines].slice(0, MAX_LINES);
}
