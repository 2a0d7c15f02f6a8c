import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mayHold } from '#analytics/detections/address-filter.ts';

const address = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const text = (value: number) => `0x${value.toString(16)}`;

test('contains every address of the set', () => {
  fc.assert(
    fc.property(fc.uniqueArray(address, { minLength: 1, maxLength: 400 }), (addresses) => {
      const values = new Set(addresses.map(text));
      for (const one of addresses) expect(mayHold(values, one)).toBe(true);
    }),
  );
});

test('fewer than one in eight addresses around a full set is a false positive', () => {
  const values = new Set(Array.from({ length: 4096 }, (_, i) => text(0x5561_0000_0000 + i * 16)));
  let vain = 0;
  for (let i = 0; i < 4096; i += 1) if (mayHold(values, 0x5561_0000_0008 + i * 16)) vain += 1;
  expect(vain).toBeLessThan(512);
});
