import { locale } from '../language/numbers.ts';

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale(), options);
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const MILLIS = { ...CLOCK, second: '2-digit', fractionalSecondDigits: 3 } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

const MOMENT = format({ dateStyle: 'medium', timeStyle: 'medium' });
const EXACT = format({ ...DAY, year: 'numeric', ...MILLIS, timeZoneName: 'short' });
const THIS_YEAR = format({ ...DAY, ...CLOCK });
const LONG_AGO = format({ ...DAY, year: 'numeric' });
const IN_LIST = format({ ...DAY, ...MILLIS });
const OF_DAY = format(MILLIS);
const AGO = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });

const DAY_SECONDS = 86_400;
const UNITS = [
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `1 Mar 2026, 09:05:07` */
export function momentText(date: Date): string {
  return MOMENT.format(date);
}

/** `1 Mar 2026, 09:05:07.250 CET` */
export function exactText(date: Date): string {
  return EXACT.format(date);
}

/** `1 Mar, 09:05:07.250`: crashes of one attack are milliseconds apart. */
export function listText(date: Date): string {
  return IN_LIST.format(date);
}

/** `09:05:07.250` */
export function clockText(date: Date): string {
  return OF_DAY.format(date);
}

/** `3 minutes ago`; from a day on when it was, since a whole page of a list would say "yesterday". What is to come is in so many days. */
export function agoText(date: Date, now = Date.now()): string {
  const seconds = Math.round((date.getTime() - now) / 1_000);
  if (seconds >= DAY_SECONDS) return AGO.format(Math.round(seconds / DAY_SECONDS), 'day');
  if (seconds <= -DAY_SECONDS)
    return (date.getFullYear() === new Date(now).getFullYear() ? THIS_YEAR : LONG_AGO).format(date);
  for (const [unit, length] of UNITS)
    if (Math.abs(seconds) >= length) return AGO.format(Math.round(seconds / length), unit);
  return AGO.format(seconds, 'second');
}
