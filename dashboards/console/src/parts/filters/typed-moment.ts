import { locale } from '../../language/numbers.ts';
import { once } from '../../language/once.ts';

/** A time as in a `datetime-local` input: local time of the selected zone, without the zone. */
type ClockTime = string;

const CLOCK_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?/;
/** 2026-03-01 09:05:07; the time of day is optional. */
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\S+))?$/;
/** 1.3.2026 09:05 */
const DOTTED = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?:,?\s+(\S+))?$/;
/** 1 Mar 2026 09:05; the year is optional too. */
const NAMED = /^(\d{1,2})\.?\s+(\p{L}+)\.?(?:\s+(\d{4}))?(?:,?\s+(\S+))?$/u;
const TIME_OF_DAY = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/;

/** Short and long names of the months, by index. English names are accepted in every language. */
const monthNames = once(() =>
  [locale(), 'en-GB'].flatMap((language) =>
    (['short', 'long'] as const).map((month) => {
      const format = new Intl.DateTimeFormat(language, { day: 'numeric', month, timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, index) => {
        const parts = format.formatToParts(Date.UTC(2026, index, 1));
        return parts.find(({ type }) => type === 'month')?.value ?? '';
      });
    }),
  ),
);

/**
 * Returns `1 Mar 2026 09:05`, with seconds if the time has them. Empty for an empty time. `day` combines day and month.
 */
export function momentOf(time: ClockTime, day: (day: string, month: string) => string): string {
  const [, year, month, date, hour, minute, second] = CLOCK_TIME.exec(time) ?? [];
  if (year === undefined) return '';
  const name = monthNames()[0]?.[Number(month) - 1] ?? '';
  return `${day(String(Number(date)), name)} ${year} ${hour}:${minute}${second === undefined ? '' : `:${second}`}`;
}

/** Parses typed text in the format of `momentOf` or in ISO 8601. Undefined if it is not a time. */
export function readMoment(typed: string, thisYear: number): ClockTime | undefined {
  const text = typed.trim();
  const iso = ISO.exec(text);
  if (iso !== null) return clockTime(Number(iso[1]), Number(iso[2]), Number(iso[3]), iso[4]);
  const dotted = DOTTED.exec(text);
  if (dotted !== null) return clockTime(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]), dotted[4]);
  const named = NAMED.exec(text);
  if (named === null) return undefined;
  const [, date, month = '', year, time] = named;
  return clockTime(Number(year ?? thisYear), monthOf(month), Number(date), time);
}

/** Returns the number of a month from at least the first three letters of its name. 0 if none exists. */
function monthOf(typed: string): number {
  if (typed.length < 3) return 0;
  const start = typed.toLowerCase();
  for (const names of monthNames()) {
    const index = names.findIndex((name) => name.toLowerCase().startsWith(start));
    if (index >= 0) return index + 1;
  }
  return 0;
}

function clockTime(year: number, month: number, date: number, time = '00:00'): ClockTime | undefined {
  const [, hour, minute, second] = TIME_OF_DAY.exec(time) ?? [];
  if (hour === undefined || minute === undefined) return undefined;
  const at = new Date(Date.UTC(year, month - 1, date, Number(hour), Number(minute), Number(second ?? 0)));
  // Rejects values out of range, such as 31 February or 25:00, because `Date` would carry them over.
  const isReal =
    at.getUTCMonth() === month - 1 &&
    at.getUTCDate() === date &&
    at.getUTCHours() === Number(hour) &&
    at.getUTCMinutes() === Number(minute);
  return isReal ? at.toISOString().slice(0, second === undefined ? 16 : 19) : undefined;
}
