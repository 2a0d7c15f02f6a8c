const RELATIVE = /^now\(\)(?:\s*-\s*(\d{1,6})\s*(s|m|h|d|w))?$/;
const ISO = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+ -]\d{2}:?\d{2})?)?$/i;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
const DAY_MS = 86_400_000;
/** Earlier than any stored time, and within the range of the stores: PostgreSQL rejects years before 4713 BC. */
const EARLIEST_MS = Date.parse('1900-01-01T00:00:00Z');

/**
 * Returns the time of `now()` or `now()-7d` (s, m, h, d, w) in epoch milliseconds, at least 1900. Undefined for any
 * other text.
 */
export function parseRelative(text: string, now: number): number | undefined {
  const relative = RELATIVE.exec(text);
  if (relative === null) return undefined;
  const [, count = '0', unit = 's'] = relative;
  return Math.max(EARLIEST_MS, now - Number(count) * (UNIT_MS[unit] ?? 0));
}

/**
 * Parses a time for lists of executions: ISO 8601, or relative to now as `now()` and `now()-7d` (s, m, h, d, w). A time
 * without a zone is UTC. A date is its first millisecond as a lower bound and its last as an upper bound. Returns
 * undefined for any other text.
 */
export function parseMoment(text: string, bound: 'lower' | 'upper', now: number): Date | undefined {
  const relative = parseRelative(text, now);
  if (relative !== undefined) return new Date(relative);
  const [, day, minutes, seconds = ':00', zone = 'Z'] = ISO.exec(text) ?? [];
  if (day === undefined) return undefined;
  // A plus sign that was not percent-encoded arrives as a space.
  const time = minutes === undefined ? 'T00:00:00Z' : `T${minutes}${seconds}${zone.toUpperCase().replace(' ', '+')}`;
  const at = new Date(day + time);
  if (Number.isNaN(at.getTime()) || !isDay(day)) return undefined;
  return minutes === undefined && bound === 'upper' ? new Date(at.getTime() + DAY_MS - 1) : at;
}

/** Date accepts 31 February and converts it to a day in March. */
function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}
