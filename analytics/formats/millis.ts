import type { Instant } from '#schemas/events/accepted.ts';

/** Milliseconds since the epoch, rounded towards the past, so that a time before 1970 does not move forward. */
export function instantMillis(time: Instant): number {
  return time.seconds * 1000 + Math.floor(time.nanos / 1_000_000);
}

/** RFC 3339 with milliseconds of an epoch in milliseconds. */
export function millisText(millis: number): string {
  return new Date(millis).toISOString();
}
