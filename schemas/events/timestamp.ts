import type { Instant } from './accepted.ts';

/**
 * Timestamps are RFC 3339 date-times with `T` or `t`; `Z`, `z` or an offset; and any number of fraction digits. Digits
 * after the ninth are cut off, because rounding could move an event into the next second.
 *
 * A leap second is 23:59:60 in UTC and equals the next second, because POSIX time cannot represent it. Impossible dates
 * (30 February, hour 24) are invalid. The range is what both a 64-bit count of nanoseconds and the `DateTime64(9)`
 * column can hold: 1900-01-01T00:00:00Z to 2262-04-11T23:47:16.854775807Z.
 */
export type TimestampProblem = 'invalid' | 'out_of_range';

const MIN_SECONDS = -2_208_988_800;
const MAX_SECONDS = 9_223_372_036;
const MAX_NANOS_OF_LAST_SECOND = 854_775_807;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const ZERO = 48;
const NINE = 57;

interface Last {
  text: string | undefined;
  result: Instant | TimestampProblem;
  /**
   * An instant with non-integer members, created before all others. V8 derives the object layout from the first
   * instance. If the first instance held integers, V8 would convert each parsed instant after instants with double
   * members appeared (crash places are stored in lists of doubles). This conversion took a sixth of the time to read
   * and evaluate events.
   */
  readonly layout: Instant;
}

/** Caches the last text and its result: the validator and the reader parse the same string in succession. */
const last: Last = { text: undefined, result: 'invalid', layout: { seconds: 0.5, nanos: 0.5 } };

/** Returns the instant of an RFC 3339 date-time, or the reason why it is rejected. */
export function readTimestamp(text: string): Instant | TimestampProblem {
  if (text === last.text) return last.result;
  const result = compute(text);
  last.text = text;
  last.result = result;
  return result;
}

/** As `readTimestamp`, but returns undefined for a rejected text. */
export function parseTimestamp(text: string): Instant | undefined {
  const result = readTimestamp(text);
  return typeof result === 'string' ? undefined : result;
}

/** Formats an instant as RFC 3339 in UTC with nine fraction digits, e.g. `2026-03-01T08:15:30.000000001Z`. */
export function formatInstant(instant: Instant): string {
  const seconds = new Date(instant.seconds * 1000).toISOString();
  return `${seconds.slice(0, 19)}.${String(instant.nanos).padStart(9, '0')}Z`;
}

function compute(text: string): Instant | TimestampProblem {
  // The shortest valid text is 1970-01-01T00:00:00Z.
  if (text.length < 20) return 'invalid';
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (!(month >= 1 && month <= 12 && day >= 1 && hour <= 23 && minute <= 59 && second <= 60)) return 'invalid';
  if (Number.isNaN(year) || day > daysIn(year, month)) return 'invalid';
  if (text[4] !== '-' || text[7] !== '-' || text[13] !== ':' || text[16] !== ':') return 'invalid';
  if (text[10] !== 'T' && text[10] !== 't') return 'invalid';

  let at = 19;
  let nanos = 0;
  if (text[at] === '.') {
    const start = ++at;
    let weight = 100_000_000;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < ZERO || code > NINE) break;
      nanos += (code - ZERO) * weight;
      weight = weight === 1 ? 0 : weight / 10;
    }
    if (at === start) return 'invalid';
  }

  const offset = offsetSeconds(text, at);
  if (Number.isNaN(offset)) return 'invalid';
  const seconds = daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
  // A 60th second exists only at the end of a UTC day. The sum above is then the next midnight.
  if (second === 60 && seconds % 86_400 !== 0) return 'invalid';
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) return 'out_of_range';
  if (seconds === MAX_SECONDS && nanos > MAX_NANOS_OF_LAST_SECOND) return 'out_of_range';
  return { seconds, nanos };
}

/** Returns the number in the two digits at `at`, or NaN. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** Returns the UTC offset in seconds (positive east) of the zone from `at` to the end of the text, or NaN. */
function offsetSeconds(text: string, at: number): number {
  const sign = text[at];
  if (sign === 'Z' || sign === 'z') return at + 1 === text.length ? 0 : Number.NaN;
  if ((sign !== '+' && sign !== '-') || text.length !== at + 6 || text[at + 3] !== ':') return Number.NaN;
  const hours = twoDigits(text, at + 1);
  const minutes = twoDigits(text, at + 4);
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
  const seconds = hours * 3600 + minutes * 60;
  return sign === '+' ? seconds : -seconds;
}

function daysIn(year: number, month: number): number {
  if (month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)) return 29;
  return DAYS_IN_MONTH[month - 1] as number;
}

/**
 * Returns the days since 1970-01-01 in the proleptic Gregorian calendar (Hinnant, "chrono-compatible low-level date
 * algorithms").
 */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
