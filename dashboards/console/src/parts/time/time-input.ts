import { PARTS_TEXT } from '../text.ts';
import { timeZone } from './time-zone.ts';

const MINUTES = 16;
const SECONDS = 19;

/**
 * Returns an RFC 3339 time as the value of a `datetime-local` input, in the selected zone. Empty for an invalid time.
 */
export function inputValue(at: string | undefined, precision: 'minutes' | 'seconds' = 'minutes'): string {
  const date = new Date(at ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '';
  const offset = timeZone() === 'utc' ? 0 : date.getTimezoneOffset();
  const shifted = new Date(date.getTime() - offset * 60_000).toISOString();
  return shifted.slice(0, precision === 'seconds' ? SECONDS : MINUTES);
}

/** Returns the value of such an input as RFC 3339. Undefined if it is empty or invalid. */
export function timeOfInput(value: string): string | undefined {
  const date = new Date(timeZone() === 'utc' && value !== '' ? `${value}Z` : value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Returns the label of such an input, with the zone if it is not the browser's. */
export function timeLabel(label: string): string {
  return timeZone() === 'utc' ? PARTS_TEXT.time.inUtc(label) : label;
}
