import { locale } from '../language/numbers.ts';
import { once } from '../language/once.ts';

/** A time as an input of the type `datetime-local` holds it: of the clock that the user chose, without a zone. */
type ClockTime = string;

const CLOCK_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?/;
/** 2026-03-01 09:05:07; the time of the day can be left out. */
const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\S+))?$/;
/** 1.3.2026 09:05 */
const DOTTED = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?:,?\s+(\S+))?$/;
/** 1 Mar 2026 09:05; the year can be left out, too. */
const NAMED = /^(\d{1,2})\.?\s+(\p{L}+)\.?(?:\s+(\d{4}))?(?:,?\s+(\S+))?$/u;
const TIME_OF_DAY = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/;

/** Short and long names of the months, by index; those of English are understood in every language. */
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

/** `1 Mar 2026 09:05`, with the seconds that it has; empty for an empty time. `day` puts day and month together. */
export function momentOf(time: ClockTime, day: (day: string, month: string) => string): string {
  const [, year, month, date, hour, minute, second] = CLOCK_TIME.exec(time) ?? [];
  if (year === undefined) return '';
  const name = monthNames()[0]?.[Number(month) - 1] ?? '';
  return `${day(String(Number(date)), name)} ${year} ${hour}:${minute}${second === undefined ? '' : `:${second}`}`;
}

/** Reads what a user typed: as `momentOf` writes it, or in ISO 8601. Undefined when it is not a time. */
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

/** The number of a month by the first letters of its name, three at least; 0: of none. */
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
  // A part that is too large would move the others: the 31st of February, 25:00.
  const isReal =
    at.getUTCMonth() === month - 1 &&
    at.getUTCDate() === date &&
    at.getUTCHours() === Number(hour) &&
    at.getUTCMinutes() === Number(minute);
  return isReal ? at.toISOString().slice(0, second === undefined ? 16 : 19) : undefined;
}
