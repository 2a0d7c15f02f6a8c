import type { Instant } from '#schemas/events/accepted.ts';

/** The instant as RFC 3339 in UTC with nine fractional digits, e.g. `2026-01-31T12:00:00.000000001Z`. */
export function instantText(time: Instant): string {
  const whole = new Date(time.seconds * 1000).toISOString().slice(0, 19);
  return `${whole}.${String(time.nanos).padStart(9, '0')}Z`;
}

/** Milliseconds since the epoch, rounded towards the past, so that a time before 1970 does not move forward. */
export function instantMillis(time: Instant): number {
  return time.seconds * 1000 + Math.floor(time.nanos / 1_000_000);
}

/** RFC 3339 with milliseconds of an epoch in milliseconds. */
export function millisText(millis: number): string {
  return new Date(millis).toISOString();
}
