import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStateReader } from '#analytics/detections/state/state-reader.ts';
import { createStateWriter } from '#analytics/detections/state/state-writer.ts';

const number = fc.oneof(
  fc.double(),
  fc.maxSafeInteger(),
  fc.integer(),
  fc.constantFrom(-0, 2 ** 50, 2 ** 50 - 1, -(2 ** 50) + 1),
);
/** Arbitrary UTF-16 code units, including lone surrogates. */
const text = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

test('a written state is read bit for bit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ number, text, list: fc.option(fc.array(number), { nil: undefined }) })),
      (records) => {
        const writer = createStateWriter();
        for (const record of records) {
          writer.number(record.number);
          writer.text(record.text);
          writer.optionalText(record.text.length % 2 === 0 ? null : record.text);
          writer.numbers(record.list);
        }
        const reader = createStateReader(Buffer.from(writer.bytes().toString('base64'), 'base64'));
        for (const record of records) {
          expect(reader.number()).toBe(record.number);
          expect(reader.text()).toBe(record.text);
          expect(reader.optionalText()).toBe(record.text.length % 2 === 0 ? null : record.text);
          expect(reader.numbers()).toEqual(record.list);
        }
        expect(() => reader.number()).toThrow(RangeError);
      },
    ),
  );
});
