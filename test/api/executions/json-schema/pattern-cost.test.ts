import { expect, test } from 'vitest';
import { patternCost } from '#api/executions/json-schema/pattern-cost.ts';

test('the steps of a pattern are the combinations of its choices', () => {
  expect(patternCost('abc', 10)).toBe(13);
  expect(patternCost('a*', 10)).toBe(11 * 12);
  expect(patternCost('a*b?', 10)).toBe(11 * 2 * 14);
  expect(patternCost('(opened|grown)', 10)).toBe(2 * 24);
  expect(patternCost('a{2,4}', 10)).toBe(3 * 16);
});

test.each(['(ab)+', '(a+)+', '(a|b){1,5}', '(.)\\1', 'a{5000}'])('%s has no known bound', (pattern) => {
  expect(patternCost(pattern, 10)).toBe(Number.POSITIVE_INFINITY);
});
