import { expect, test } from 'vitest';
import { durationText } from '#dashboards/console/src/pages/rules/duration-text.ts';

test('formats seconds as a longer unit if that is shorter', () => {
  expect(durationText(21_600)).toBe('6 h');
  expect(durationText(86_400 + 1_801)).toBe('1 d 30 min 1 s');
  expect(durationText(59)).toBeUndefined();
  expect(durationText(Number.NaN)).toBeUndefined();
});
