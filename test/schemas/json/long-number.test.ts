import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayHoldLongNumber } from '#schemas/json/long-number.ts';

test('a long number is found at any position', () => {
  const before = fc.string({ unit: fc.constantFrom(...'{"a:,[ 1234567890.-'), maxLength: 60 });
  fc.assert(
    fc.property(before, fc.stringMatching(/^[1-9][0-9.]{15,25}$/), fc.string(), (left, number, right) => {
      expect(mayHoldLongNumber(`${left}:${number},${right}`)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('numbers that a double can represent, and digits at the start of a string, are not found', () => {
  expect(mayHoldLongNumber('{"ip":123456789012345,"sp":[1,2,3],"t":"2026-03-01T08:15:30.123456789Z"}')).toBe(false);
  expect(
    mayHoldLongNumber(JSON.stringify({ RAX: '0000000000000000', RBX: '0000000000000012', R12: '1'.repeat(99) })),
  ).toBe(false);
  expect(mayHoldLongNumber('')).toBe(false);
});
