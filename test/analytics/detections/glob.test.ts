import { expect, test } from 'vitest';
import { matchesGlob } from '#analytics/detections/glob.ts';

test.each([
  ['*', '', true],
  ['*', 'anything', true],
  ['edge-*', 'edge-1', true],
  ['edge-*', 'my-edge-1', false],
  ['edge-?', 'edge-12', false],
  ['*gw*', 'edge-gw-ssp', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-b-b-c-', false],
  ['[a]', 'a', false],
  ['.', 'x', false],
  ['', '', true],
  ['', 'x', false],
  ['?', '', false],
])('%s and %s: %s', (pattern, value, expected) => {
  expect(matchesGlob(pattern, value)).toBe(expected);
});

test('a malicious name costs no exponential time', () => {
  expect(matchesGlob(`${'*a'.repeat(50)}*b`, 'a'.repeat(20_000))).toBe(false);
});
