const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

/** The range that every event reader accepts: 1900-01-01 to 2262-04-11 (nanoseconds in 64 bits). */
const MIN_MS = Date.UTC(1900, 0, 2);
const MAX_MS = Date.UTC(2262, 3, 10);

export interface CalendarTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** Digits after the decimal point as in the source; may be empty. */
  fraction: string;
  /** `Z` or `+hh:mm`. */
  zone: string;
}

/** Formats a calendar time as RFC 3339. Returns null if the time does not exist or is outside the range of events. */
export function toRfc3339(time: CalendarTime): string | null {
  const { year, month, day, hour, minute, second } = time;
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return null;
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day || at.getUTCFullYear() !== year) return null;
  if (at.getTime() < MIN_MS || at.getTime() > MAX_MS) return null;
  const fraction = time.fraction === '' ? '' : `.${time.fraction}`;
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}T${pad(hour)}:${pad(minute)}:${pad(second)}${fraction}${time.zone}`;
}

/**
 * Formats microseconds since the epoch as RFC 3339 in UTC with six digits. Returns null if outside the range of events.
 */
export function fromEpochUs(epochUs: number): string | null {
  const seconds = Math.floor(epochUs / 1e6);
  if (!(seconds * 1000 >= MIN_MS && seconds * 1000 <= MAX_MS)) return null;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${pad(Math.floor(epochUs - seconds * 1e6), 6)}Z`;
}

/** Normalises `Z`, `+0100`, `+01:00`, `+01` to RFC 3339. Returns null for an offset that no time zone has. */
export function toZone(text: string): string | null {
  if (text === 'Z' || text === 'z') return 'Z';
  const digits = text.slice(1).replace(':', '').padEnd(4, '0');
  if (Number(digits.slice(0, 2)) > 23 || Number(digits.slice(2)) > 59) return null;
  return `${text[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** First letters of month names as `date` prints them, by language; lower case, without dots and accents. */
const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'ene', 'gen', 'sty', 'led', 'янв', 'oca', 'tam'],
  ['feb', 'fev', 'lut', 'uno', 'фев', 'sub', 'hel'],
  ['mar', 'mae', 'mrt', 'mrz', 'bre', 'мар', 'maa'],
  ['apr', 'abr', 'avr', 'kwi', 'dub', 'апр', 'nis', 'huh'],
  ['may', 'mai', 'maj', 'mag', 'mei', 'kve', 'мая', 'май', 'tou'],
  ['jun', 'giu', 'juin', 'cze', 'cer', 'июн', 'haz', 'kes'],
  ['jul', 'lug', 'juil', 'lip', 'cec', 'июл', 'tem', 'hei'],
  ['aug', 'ago', 'aou', 'sie', 'srp', 'авг', 'elo'],
  ['sep', 'set', 'wrz', 'zar', 'сен', 'eyl', 'syy'],
  ['oct', 'okt', 'ott', 'out', 'paz', 'rij', 'окт', 'eki', 'lok'],
  ['nov', 'lis', 'ноя', 'kas', 'mar.'],
  ['dec', 'dez', 'dic', 'gru', 'pro', 'дек', 'ara', 'jou'],
];

/**
 * Returns the month (1 to 12) of a name in a common language, or of a number followed by `月`/`월`. Returns null if
 * unknown.
 */
export function monthNumber(word: string): number | null {
  const numbered = /^(\d{1,2})(?:[月월]|$)/.exec(word);
  if (numbered) return Number(numbered[1]) >= 1 && Number(numbered[1]) <= 12 ? Number(numbered[1]) : null;
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\.$/, '');
  // й and ё also lose their marks. The stems in the table avoid them, and `май` is compared in its plain form.
  if (plain === 'маи') return 5;
  let best: number | null = null;
  let bestLength = 0;
  for (let month = 0; month < 12; month++) {
    for (const stem of MONTHS[month] as readonly string[]) {
      if (stem.length > bestLength && plain.startsWith(stem)) {
        best = month + 1;
        bestLength = stem.length;
      }
    }
  }
  return best;
}

/**
 * Returns the year of a date without one: the latest year in which the date is at most a day after `referenceMs`. A log
 * of December that is read in January is thus from last year.
 */
export function guessYear(month: number, day: number, referenceMs: number): number {
  const year = new Date(referenceMs).getUTCFullYear();
  return Date.UTC(year, month - 1, day) > referenceMs + 86_400_000 ? year - 1 : year;
}
