import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLine } from '#schemas/json/one-line.ts';

test('line breaks between tokens become spaces', () => {
  expect(oneLine('{\r\n  "a": 18446744073709551615,\n\t"b": "x\\ny"\n}')).toBe(
    '{    "a": 18446744073709551615, \t"b": "x\\ny" }',
  );
});

test('a text on one line is returned unchanged', () => {
  expect(oneLine('{"a":"\\n\u2028"}')).toBe('{"a":"\\n\u2028"}');
});

test('the parsed value stays the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const line = oneLine(JSON.stringify(value, null, '\r\n'.length));
      expect(line).not.toMatch(/[\r\n]/);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
