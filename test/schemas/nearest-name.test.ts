import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearestName } from '#schemas/nearest-name.ts';

test.each([
  ['', '', 0],
  ['abc', '', 3],
  ['kitten', 'sitting', 3],
  ['PORT', 'PROT', 1],
  ['TRAPLINE_URL', 'TRAPLINE_URI', 1],
])('from %j to %j takes %d edits', (a, b, edits) => {
  expect(editDistance(a, b)).toBe(edits);
});

test('distance is symmetric, zero only for the same, and at most the longer length', () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const edits = editDistance(a, b);
      expect(edits).toBe(editDistance(b, a));
      expect(edits === 0).toBe(a === b);
      expect(edits).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});

test('a name that differs from all names has no nearest name', () => {
  expect(nearestName('TRAPLINE_ENTIRELY_DIFFERENT', ['TRAPLINE_URL', 'PORT'])).toBeUndefined();
});
