/** Time range of one query, epoch milliseconds. If `untilMs` is undefined, it has no upper bound. */
export interface PollPeriod {
  readonly sinceMs: number;
  readonly untilMs: number | undefined;
}

/** Progress of the polls, and the length of the next query. Immutable: each function returns a new position. */
export interface PollPosition {
  /** All events received before this time were judged. Undefined before the first poll. */
  readonly judgedMs: number | undefined;
  readonly periodMs: number;
}

/** Each poll overlaps the previous one by this time, because inserts become visible late and the clocks of processes differ. */
const OVERLAP_MS = 600_000;
/** The first poll of a process reads back this far, to include events that were received while no worker ran. */
const FIRST_LOOKBACK_MS = 7 * 86_400_000;
const MAX_PERIOD_MS = FIRST_LOOKBACK_MS + OVERLAP_MS;
const MIN_PERIOD_MS = 60_000;

export const FIRST_POSITION: PollPosition = { judgedMs: undefined, periodMs: MAX_PERIOD_MS };

/** Returns the time at which a poll begins. */
export function pollSince({ judgedMs }: PollPosition, nowMs: number): number {
  return judgedMs === undefined ? nowMs - FIRST_LOOKBACK_MS : judgedMs - OVERLAP_MS;
}

/** Returns the next period of a poll that has reached `sinceMs`. Undefined when the poll is complete. */
export function nextPeriod({ periodMs }: PollPosition, sinceMs: number, nowMs: number): PollPeriod | undefined {
  if (sinceMs >= nowMs) return undefined;
  const end = sinceMs + periodMs;
  return { sinceMs, untilMs: end < nowMs ? end : undefined };
}

/** Returns the position after a period was judged up to `reachedMs`. The next query covers twice the time. */
export function afterPeriod({ judgedMs, periodMs }: PollPosition, reachedMs: number): PollPosition {
  return { judgedMs: Math.max(judgedMs ?? reachedMs, reachedMs), periodMs: Math.min(MAX_PERIOD_MS, periodMs * 2) };
}

/**
 * Returns the position after a query exceeded a limit: the next query covers half the time. Undefined if the query
 * already covered the minimum.
 */
export function afterTooLarge({ judgedMs, periodMs }: PollPosition): PollPosition | undefined {
  if (periodMs <= MIN_PERIOD_MS) return undefined;
  return { judgedMs, periodMs: Math.max(MIN_PERIOD_MS, Math.floor(periodMs / 2)) };
}
