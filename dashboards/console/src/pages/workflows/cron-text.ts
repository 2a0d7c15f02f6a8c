import { WORKFLOWS_TEXT } from './text.ts';

const TEXT = WORKFLOWS_TEXT.cron;

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MAX_TIMES = 6;

/**
 * Returns a cron pattern in words, for example `Every weekday at 08:00 (Europe/Berlin)`. Returns the pattern itself if
 * it is too complex for words.
 */
export function cronText(pattern: string): string {
  const [, zone = 'UTC', rest = pattern] = /^CRON_TZ=(\S+)\s+(.+)$/.exec(pattern.trim()) ?? [];
  const fields = rest.trim().toLowerCase().split(/\s+/);
  const seconds = fields.length === 6 ? fields.shift() : '0';
  const words = seconds === '0' && fields.length === 5 ? wordsOf(fields) : undefined;
  return words === undefined ? TEXT.pattern(rest.trim(), zone) : TEXT.zoned(words, zone);
}

function wordsOf([minute = '', hour = '', day = '', month = '', weekday = '']: readonly string[]): string | undefined {
  const everyDay = day === '*' && month === '*' && weekday === '*';
  if (everyDay && hour === '*') return withinTheHour(minute);
  const minutes = numbersOf(minute, 0, 59);
  if (minutes === undefined || month !== '*') return undefined;
  const step = /^\*\/(\d+)$/.exec(hour)?.[1];
  const [only] = minutes;
  if (everyDay && step !== undefined && minutes.length === 1 && only !== undefined)
    return TEXT.everyHours(Number(step), only);
  const hours = numbersOf(hour, 0, 23);
  const days = daysOf(day, weekday);
  if (hours === undefined || days === undefined || hours.length * minutes.length > MAX_TIMES) return undefined;
  return TEXT.at(
    days,
    hours.flatMap((h) => minutes.map((m) => `${padded(h)}:${padded(m)}`)),
  );
}

function withinTheHour(minute: string): string | undefined {
  if (minute === '*') return TEXT.everyMinutes(1);
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (step !== undefined) return TEXT.everyMinutes(Number(step));
  const [only, ...more] = numbersOf(minute, 0, 59) ?? [];
  return only === undefined || more.length > 0 ? undefined : TEXT.everyHours(1, only);
}

function daysOf(day: string, weekday: string): string | undefined {
  if (day === '*' && weekday === '*') return TEXT.everyDay;
  if (weekday === '*') {
    const days = numbersOf(day, 1, 31);
    return days === undefined ? undefined : TEXT.monthDays(days);
  }
  if (day !== '*') return undefined;
  const named = WEEKDAYS.reduce((text, name, index) => text.replaceAll(name, String(index)), weekday);
  const numbers = numbersOf(named, 0, 7);
  if (numbers === undefined) return undefined;
  const days = [...new Set(numbers.map((number) => number % 7))].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
  return days.join() === '1,2,3,4,5' ? TEXT.everyWeekday : TEXT.weekdays(days.map((one) => TEXT.dayNames[one] ?? ''));
}

/** Parses `5`, `1,3` and `1-5`. Undefined for anything else. */
function numbersOf(field: string, min: number, max: number): number[] | undefined {
  const numbers: number[] = [];
  for (const part of field.split(',')) {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (from === undefined || Number(from) < min || Number(to) > max || Number(from) > Number(to)) return undefined;
    for (let number = Number(from); number <= Number(to); number += 1) numbers.push(number);
  }
  return numbers;
}

function padded(number: number): string {
  return String(number).padStart(2, '0');
}
