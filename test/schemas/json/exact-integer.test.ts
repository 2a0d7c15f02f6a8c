import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactUint64 as exact, exactInteger } from '#schemas/json/exact-integer.ts';

const exactUint64 = (source: string) => exact(source, /^\d+$/.test(source));
const exactPlainInteger = (source: string) => exactInteger(source, /^\d+$/.test(source));

test('every spelling of every unsigned 64-bit value is that value', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.nat({ max: 30 }),
      fc.nat({ max: 5 }),
      (value, shift, zeros) => {
        const exact = value <= 9007199254740991n ? Number(value) : value;
        const digits = String(value);
        const padded = digits + '0'.repeat(zeros);
        const point = Math.max(0, digits.length - shift);
        const spellings = [
          digits,
          `${digits}.${'0'.repeat(zeros + 1)}`,
          `${padded}e-${zeros}`,
          `${digits.slice(0, point) || '0'}.${digits.slice(point) || '0'}E+${digits.length - point}`,
          `0.${'0'.repeat(shift)}${digits}e${digits.length + shift}`,
        ];
        for (const spelling of spellings) expect([spelling, exactUint64(spelling)]).toEqual([spelling, exact]);
      },
    ),
  );
});

test('values beyond either end and between integers are distinguished', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 2n ** 64n, max: 2n ** 200n }), (value) => {
      expect(exactUint64(String(value))).toBe('too_large');
      expect(exactUint64(`${value}.0`)).toBe('too_large');
      expect(exactUint64(`-${value}`)).toBe('negative');
      expect(exactUint64(`${value}.25`)).toBe('not_an_integer');
    }),
  );
  expect(exactUint64('-0.00e7')).toBe(0);
  expect(exactUint64('-1e-1')).toBe('not_an_integer');
});

test('integers of unknown fields have no bounds and are read as plain digits only', () => {
  expect(exactPlainInteger('123456789012345678901234567890')).toBe(123456789012345678901234567890n);
  expect(exactPlainInteger('-9007199254740992')).toBe(-9007199254740992n);
  expect(exactPlainInteger('12')).toBe(12);
  expect(exactPlainInteger('1e30')).toBeUndefined();
  expect(exactPlainInteger('1.0')).toBeUndefined();
  expect(exactPlainInteger('-')).toBeUndefined();
});
