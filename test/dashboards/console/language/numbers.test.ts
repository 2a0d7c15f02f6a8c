import { afterEach, expect, test } from 'vitest';
import { numberText, setLocale, shareText } from '#dashboards/console/src/language/numbers.ts';

const before = new Intl.NumberFormat().resolvedOptions().locale;

// Restores the locale, because other tests of the same process use it.
afterEach(() => setLocale(before));

test.each([
  [
    'en-GB',
    [0, 999, 1_000, 1_200.5, -7, 12_345_678_901_234_567_890n],
    ['0', '999', '1,000', '1,200.5', '-7', '12,345,678,901,234,567,890'],
  ],
  ['de-DE', [0, 999, 1_000, 1_200.5, -7, 12n], ['0', '999', '1.000', '1.200,5', '-7', '12']],
])('formats numbers in %s with its separators', (locale, numbers, texts) => {
  setLocale(locale);
  expect(numbers.map(numberText)).toEqual(texts);
});

test.each([
  ['en-GB', ['72%', '1.9%', '0%']],
  ['de-DE', ['72\u00a0%', '1,9\u00a0%', '0\u00a0%']],
])('formats percentages in the style of %s', (locale, texts) => {
  setLocale(locale);
  expect([shareText(0.7249), shareText(0.0191, 1), shareText(0)]).toEqual(texts);
});
