import { expect, test } from 'vitest';
import { agoText, clockText, exactText } from '#dashboards/console/src/parts/time-words.ts';

const NOW = new Date(2026, 2, 10, 12, 0, 0).getTime();
const before = (ms: number) => agoText(new Date(NOW - ms), NOW);
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

test('times of the last day are relative; older ones are absolute, so that rows of a list can be distinguished', () => {
  expect(before(3 * MINUTE)).toBe('3 minutes ago');
  expect(before(23 * HOUR)).toBe('23 hours ago');
  expect(before(-2 * HOUR)).toBe('in 2 hours');
  expect(before(-30 * DAY)).toBe('in 30 days');
  expect(before(25 * HOUR)).toMatch(/11:00/);
  expect(before(25 * HOUR)).not.toBe(before(26 * HOUR));
  expect(before(400 * DAY)).toMatch(/2025/);
  expect(before(400 * DAY)).not.toMatch(/:/);
});

test('an exact time has milliseconds and a zone, and a log line has the local time of the reader', () => {
  const at = new Date(2026, 2, 1, 9, 5, 7, 250);
  expect(exactText(at)).toMatch(/2026.*09:05:07\.250 \S+/);
  expect(clockText(at)).toBe('09:05:07.250');
});
