import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  distance,
  parseRegister,
  toAddress,
  toBigInt,
  toDouble,
  toHexadecimal,
} from '#analytics/detections/state/address.ts';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const asU64 = (value: bigint) => (value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value);

test('every 64-bit value is stored and read exactly, from the wire and from a dump', () => {
  fc.assert(
    fc.property(u64, (value) => {
      const address = toAddress(asU64(value));
      expect(toBigInt(address)).toBe(value);
      expect(toHexadecimal(address)).toBe(`0x${value.toString(16)}`);
      for (const text of [
        value.toString(16).padStart(16, '0'),
        `0x${value.toString(16)}`,
        `0033:0x${value.toString(16)}`,
      ]) {
        expect(parseRegister(text)).toEqual(address);
      }
    }),
  );
});

test('calculates the limits', () => {
  for (const value of [0n, 1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 2n, 2n ** 64n - 1n]) {
    expect(toBigInt(toAddress(asU64(value)))).toBe(value);
    expect(parseRegister(value.toString(16))).toEqual(toAddress(asU64(value)));
  }
});

test('calculates doubles and distances like bigint arithmetic', () => {
  fc.assert(
    fc.property(u64, u64, (a, b) => {
      expect(toDouble(asU64(a))).toBe(Number(a));
      const difference = distance(asU64(a), asU64(b));
      const isExact = Number.isSafeInteger(Number(a - b));
      expect(Number.isSafeInteger(difference)).toBe(isExact);
      if (isExact) expect(BigInt(difference)).toBe(a - b);
    }),
  );
  expect(distance(2n ** 63n + 5n, 2n ** 63n)).toBe(5);
  expect(distance(2n ** 53n, 2 ** 53 - 1)).toBe(1);
});

test('text that is not a register value returns undefined', () => {
  for (const text of [undefined, '', '(null)', '0x', '12345678901234567', 'g', '0033:', '-1', '1.0', ' 1', '12 34']) {
    expect(parseRegister(text)).toBeUndefined();
  }
});

test('offsets are added exactly', () => {
  expect(toHexadecimal({ space: 0, offset: Number.MAX_SAFE_INTEGER }, 2)).toBe('0x20000000000001');
  expect(toHexadecimal(toAddress(2n ** 64n - 16n), 15)).toBe('0xffffffffffffffff');
});
