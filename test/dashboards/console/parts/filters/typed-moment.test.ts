import { expect, test } from 'vitest';
import { momentOf, readMoment } from '#dashboards/console/src/parts/filters/typed-moment.ts';

const day = (date: string, month: string) => `${date} ${month}`;

test('writes a time as lists do, always with the year', () => {
  expect(momentOf('2026-03-01T09:05', day)).toMatch(/^1 Mar 2026 09:05$/);
  expect(momentOf('2026-03-01T09:05:07', day)).toMatch(/^1 Mar 2026 09:05:07$/);
  expect(momentOf('', day)).toBe('');
});

test('parses every month that it writes', () => {
  for (let month = 1; month <= 12; month += 1) {
    const time = `2026-${String(month).padStart(2, '0')}-17T23:59:01`;
    expect(readMoment(momentOf(time, day), 2020)).toBe(time);
    expect(
      readMoment(
        momentOf(time, (date, name) => `${date}. ${name}.`),
        2020,
      ),
    ).toBe(time);
  }
});

test.each([
  ['1 Mar 9:05', '2026-03-01T09:05'],
  ['1 march 2025', '2025-03-01T00:00'],
  ['1. Dec. 2025, 10:00', '2025-12-01T10:00'],
  ['2026-03-01 09:05:07', '2026-03-01T09:05:07'],
  [' 2026-03-01T09:05 ', '2026-03-01T09:05'],
  ['2024-02-29', '2024-02-29T00:00'],
  ['1.3.2026 09:05', '2026-03-01T09:05'],
])('parses “%s” as %s', (typed, time) => {
  expect(readMoment(typed, 2026)).toBe(time);
});

test.each([
  '',
  'soon',
  '31 Feb 2026',
  '1 Ma 2026',
  '1 Foo 2026',
  '2026-13-01',
  '2026-03-01 25:00',
  '2026-03-01 09:60',
  '2026-03-01 09:05Z',
  '03/01/2026',
])('rejects “%s” as a time', (typed) => {
  expect(readMoment(typed, 2026)).toBeUndefined();
});
