import type { Instant } from '#schemas/events/accepted.ts';

/** Returns milliseconds since the epoch, rounded down, so that a time before 1970 does not move forward. */
export function instantMillis(time: Instant): number {
  return time.seconds * 1000 + Math.floor(time.nanos / 1_000_000);
}

/** Formats epoch milliseconds as RFC 3339 with milliseconds. */
export function millisText(millis: number): string {
  return new Date(millis).toISOString();
}
