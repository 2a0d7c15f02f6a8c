import { expect, test } from 'vitest';
import { atMost } from '#deploy/cli/export-total.ts';

test('an export with a limit above the number of records reaches 100 %', () => {
  expect(atMost(100_000, 30_171)).toBe(30_171);
  expect(atMost(500, 30_171)).toBe(500);
  expect(atMost(undefined, 30_171)).toBe(30_171);
  expect(atMost(500, undefined)).toBe(500);
  expect(atMost(undefined, undefined)).toBeUndefined();
});
