import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kthSmallest } from '#analytics/detections/state/kth-smallest.ts';

test('selects the same element as sorting', () => {
  const values = fc.uniqueArray(fc.double({ noNaN: true }), {
    minLength: 1,
    maxLength: 60,
    comparator: 'IsStrictlyEqual',
  });
  fc.assert(
    fc.property(values, fc.nat(), (some, drawn) => {
      const k = drawn % some.length;
      expect(kthSmallest(Float64Array.from(some), k)).toBe(Float64Array.from(some).sort()[k]);
    }),
  );
});
