import { expect, test } from 'vitest';
import { rangeText } from '#dashboards/console/src/parts/time/time-range.ts';
import { momentText } from '#dashboards/console/src/parts/time/time-words.ts';

const FROM = '2026-03-01T00:00:00.000Z';
const TO = '2026-03-02T00:00:00.000Z';
const [from, to] = [FROM, TO].map((at) => momentText(new Date(at)));

test('a time range reads as the end of a sentence', () => {
  expect(rangeText({ range: '24h' })).toBe('in the last 24 hours');
  expect(rangeText({ from: FROM, to: TO })).toBe(`from ${from} to ${to}`);
  expect(rangeText({ from: FROM })).toBe(`since ${from}`);
  expect(rangeText({ to: TO })).toBe(`until ${to}`);
  expect(rangeText({})).toBe('in total');
});
