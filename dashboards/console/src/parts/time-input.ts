import { PARTS_TEXT } from './text.ts';
import { timeZone } from './time-zone.ts';

const MINUTES = 16;
const SECONDS = 19;

/** An RFC 3339 time as an input of the type `datetime-local` holds it, in the chosen zone; empty for an invalid time. */
export function inputValue(at: string | undefined, precision: 'minutes' | 'seconds' = 'minutes'): string {
  const date = new Date(at ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '';
  const offset = timeZone() === 'utc' ? 0 : date.getTimezoneOffset();
  const shifted = new Date(date.getTime() - offset * 60_000).toISOString();
  return shifted.slice(0, precision === 'seconds' ? SECONDS : MINUTES);
}

/** The value of such an input as RFC 3339; undefined when it is empty or invalid. */
export function timeOfInput(value: string): string | undefined {
  const date = new Date(timeZone() === 'utc' && value !== '' ? `${value}Z` : value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Label of such an input: says the zone when it is not that of the browser. */
export function timeLabel(label: string): string {
  return timeZone() === 'utc' ? PARTS_TEXT.time.inUtc(label) : label;
}
