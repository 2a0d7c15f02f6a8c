import { locale } from '../../language/numbers.ts';
import { once } from '../../language/once.ts';
import { PARTS_TEXT } from '../text.ts';
import { zoneName } from './time-zone.ts';

const PARTS = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
} as const;
const relative = once(() => new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }));

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const HOUR_MS = HOUR * 1_000;

/** Formats by zone. They are cached, because creating one takes longer than a hundred uses. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const timeZone = zoneName();
  const key = JSON.stringify([timeZone, options]);
  const made = formats.get(key) ?? new Intl.DateTimeFormat(locale(), timeZone ? { ...options, timeZone } : options);
  formats.set(key, made);
  return made;
}

function partsOf(date: Date): Readonly<Record<string, string>> {
  const parts = formatOf(PARTS).formatToParts(date);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

let yearOfHour:
  | { readonly hour: number; readonly zone: string | undefined; readonly year: string | undefined }
  | undefined;

/**
 * Returns the year of a time. Caches the year of the latest hour, because every time in a list is compared with the
 * current time.
 */
function yearOf(at: number): string | undefined {
  const [hour, zone] = [Math.floor(at / HOUR_MS), zoneName()];
  if (yearOfHour?.hour !== hour || yearOfHour.zone !== zone)
    yearOfHour = { hour, zone, year: partsOf(new Date(at)).year };
  return yearOfHour.year;
}

/** `1 Mar 09:05:07`; with the year unless it is the current one. The default time format of the console. */
export function momentText(date: Date, now = Date.now()): string {
  const parts = partsOf(date);
  return `${dayOf(parts, now)} ${parts.hour}:${parts.minute}:${parts.second}`;
}

/** `1 Mar`, `1 Mar 2025` */
export function dayText(date: Date, now = Date.now()): string {
  return dayOf(partsOf(date), now);
}

function dayOf({ day = '', month = '', year }: Readonly<Record<string, string>>, now: number): string {
  const text = PARTS_TEXT.time.day(day, month);
  return year === yearOf(now) ? text : `${text} ${year}`;
}

/** `1 Mar 2026 09:05:07.250 CET` */
export function exactText(date: Date): string {
  const { day = '', month = '', year } = partsOf(date);
  const zone = formatOf({ timeZoneName: 'short' }).formatToParts(date);
  return `${PARTS_TEXT.time.day(day, month)} ${year} ${clockText(date)} ${zone.find(({ type }) => type === 'timeZoneName')?.value ?? ''}`;
}

/** `1 Mar 09:05:07.250`: crashes of one attack are milliseconds apart. */
export function listText(date: Date, now = Date.now()): string {
  return `${dayText(date, now)} ${clockText(date)}`;
}

/** `09:05:07.250` */
export function clockText(date: Date): string {
  const { hour, minute, second, fractionalSecond } = partsOf(date);
  return `${hour}:${minute}:${second}.${fractionalSecond}`;
}

/** `1 Mar 09:05:07` in a narrow column. With a year, only the day. */
export function columnText(date: Date, now = Date.now()): string {
  return partsOf(date).year === yearOf(now) ? momentText(date, now) : dayText(date, now);
}

/** `1 Mar 09:05` in a list with one line per row. With a year, only the day. */
export function minuteText(date: Date, now = Date.now()): string {
  const parts = partsOf(date);
  const day = dayOf(parts, now);
  return parts.year === yearOf(now) ? `${day} ${parts.hour}:${parts.minute}` : day;
}

/** `3 minutes ago`, `in 30 days` */
export function agoText(date: Date, now = Date.now()): string {
  const seconds = Math.round((date.getTime() - now) / 1_000);
  for (const [unit, length] of [
    ['day', DAY],
    ['hour', HOUR],
    ['minute', MINUTE],
  ] as const)
    if (Math.abs(seconds) >= length) return relative().format(Math.round(seconds / length), unit);
  return relative().format(seconds, 'second');
}
