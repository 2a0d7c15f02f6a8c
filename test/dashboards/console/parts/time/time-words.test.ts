import { afterEach, expect, test } from 'vitest';
import { inputValue, timeLabel, timeOfInput } from '#dashboards/console/src/parts/time/time-input.ts';
import {
  agoText,
  clockText,
  columnText,
  exactText,
  listText,
  momentText,
} from '#dashboards/console/src/parts/time/time-words.ts';
import { chooseTimeZone, restoreTimeZone, timeZone } from '#dashboards/console/src/parts/time/time-zone.ts';

const NOW = new Date(2026, 2, 10, 12, 0, 0).getTime();
const at = new Date(2026, 2, 1, 9, 5, 7, 250);
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

afterEach(() => chooseTimeZone('local'));

test('formats a time as day, month, the year unless current, and clock', () => {
  expect(momentText(at, NOW)).toMatch(/^1 \S+ 09:05:07$/);
  expect(momentText(new Date(NOW - 400 * DAY), NOW)).toMatch(/^\d+ \S+ 2025 12:00:00$/);
  expect(columnText(at, NOW)).toBe(momentText(at, NOW));
  expect(columnText(new Date(NOW - 400 * DAY), NOW)).toMatch(/^\d+ \S+ 2025$/);
});

test('a tooltip names the distance from now, in the past or future', () => {
  const before = (ms: number) => agoText(new Date(NOW - ms), NOW);
  expect(before(3 * MINUTE)).toBe('3 minutes ago');
  expect(before(23 * HOUR)).toBe('23 hours ago');
  expect(before(-2 * HOUR)).toBe('in 2 hours');
  expect(before(-30 * DAY)).toBe('in 30 days');
});

test('an exact time has milliseconds and a zone; a log line has local time', () => {
  expect(exactText(at)).toMatch(/^1 \S+ 2026 09:05:07\.250 \S+/);
  expect(listText(at, NOW)).toMatch(/^1 \S+ 09:05:07\.250$/);
  expect(clockText(at)).toBe('09:05:07.250');
});

test('shows and parses times in UTC if UTC is selected', () => {
  const time = '2026-03-01T23:59:58.000Z';
  chooseTimeZone('utc');
  expect(momentText(new Date(time), NOW)).toMatch(/^1 \S+ 23:59:58$/);
  expect(exactText(new Date(time))).toMatch(/ 23:59:58\.000 UTC$/);
  expect(inputValue(time, 'seconds')).toBe('2026-03-01T23:59:58');
  expect(timeOfInput('2026-03-01T23:59:58')).toBe(time);
  expect(timeLabel('From')).toBe('From (UTC)');
  expect(timeLabel('From')).not.toBe(chooseTimeZone('local') ?? timeLabel('From'));
});

test('an input returns the time that it was given, in any zone; an invalid time is undefined', () => {
  const time = '2026-03-01T23:59:00.000Z';
  expect(timeOfInput(inputValue(time))).toBe(time);
  expect(inputValue(undefined)).toBe('');
  expect(timeOfInput('')).toBeUndefined();
  expect(timeOfInput('soon')).toBeUndefined();
});

test('stores the time zone in the browser', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  chooseTimeZone('utc', storage);
  chooseTimeZone('local');
  restoreTimeZone(storage);
  expect(timeZone()).toBe('utc');
});
