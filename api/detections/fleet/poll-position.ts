/** A stretch of time that one query covers, epoch milliseconds. `untilMs` undefined: up to the newest. */
export interface PollPeriod {
  readonly sinceMs: number;
  readonly untilMs: number | undefined;
}

/** How far polls have come, and how much the next query covers. Immutable: each function returns the next one. */
export interface PollPosition {
  /** Everything received before was judged; undefined before the first poll. */
  readonly judgedMs: number | undefined;
  readonly periodMs: number;
}

/** Each poll repeats this much of the previous one: inserts become visible late, and clocks of processes differ. */
const OVERLAP_MS = 600_000;
/** The first poll of a process looks back this far, for what was received while no worker ran. */
const FIRST_LOOK_MS = 7 * 86_400_000;
const MAX_PERIOD_MS = FIRST_LOOK_MS + OVERLAP_MS;
const MIN_PERIOD_MS = 60_000;

export const FIRST_POSITION: PollPosition = { judgedMs: undefined, periodMs: MAX_PERIOD_MS };

/** Where a poll begins. */
export function pollSince({ judgedMs }: PollPosition, nowMs: number): number {
  return judgedMs === undefined ? nowMs - FIRST_LOOK_MS : judgedMs - OVERLAP_MS;
}

/** The next period of a poll that has come to `sinceMs`; undefined when it is done. */
export function nextPeriod({ periodMs }: PollPosition, sinceMs: number, nowMs: number): PollPeriod | undefined {
  if (sinceMs >= nowMs) return undefined;
  const end = sinceMs + periodMs;
  return { sinceMs, untilMs: end < nowMs ? end : undefined };
}

/** After a period was judged up to `reachedMs`: the next query covers twice as much. */
export function afterPeriod({ judgedMs, periodMs }: PollPosition, reachedMs: number): PollPosition {
  return { judgedMs: Math.max(judgedMs ?? reachedMs, reachedMs), periodMs: Math.min(MAX_PERIOD_MS, periodMs * 2) };
}

/** After a query that was too large: the next one covers half. Undefined when it covered as little as it may. */
export function afterTooLarge({ judgedMs, periodMs }: PollPosition): PollPosition | undefined {
  if (periodMs <= MIN_PERIOD_MS) return undefined;
  return { judgedMs, periodMs: Math.max(MIN_PERIOD_MS, Math.floor(periodMs / 2)) };
}
