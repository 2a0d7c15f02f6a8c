import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nestsDeeperThan } from '#schemas/json/depth.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('agrees with the depth of what was parsed, brackets in strings or not', () => {
  const brackets = fc.string({ unit: fc.constantFrom(...'{}[]"\\') });
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 8 },
      brackets,
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(brackets, tie('tree'), { maxKeys: 2 }),
    ),
  }));
  fc.assert(
    fc.property(tree, fc.nat({ max: 8 }), (value, limit) => {
      expect(nestsDeeperThan(JSON.stringify(value), limit)).toBe(depthOf(value) > limit);
    }),
    { numRuns: 1000 },
  );
});

test('a text that is not JSON has a depth too', () => {
  expect(nestsDeeperThan('[[[[', 3)).toBe(true);
  expect(nestsDeeperThan(']]]][[[', 3)).toBe(false);
  expect(nestsDeeperThan('["[[[[[[', 3)).toBe(false);
  expect(nestsDeeperThan('"\\', 0)).toBe(false);
});
