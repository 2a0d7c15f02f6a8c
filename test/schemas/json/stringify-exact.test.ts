import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExact } from '#schemas/json/parse-exact.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';

test('a bigint is written as its digits', () => {
  expect(stringifyExact({ a: 18446744073709551615n, b: [1, -9007199254740993n, { c: 0n }], d: 'x' })).toBe(
    '{"a":18446744073709551615,"b":[1,-9007199254740993,{"c":0}],"d":"x"}',
  );
  expect(stringifyExact(5n)).toBe('5');
});

test('a value without a bigint is written like JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(stringifyExact(value)).toBe(JSON.stringify(value));
    }),
  );
  expect(stringifyExact({ a: undefined, b: new Date(0), c: [undefined] })).toBe(
    '{"b":"1970-01-01T00:00:00.000Z","c":[null]}',
  );
});

test('values written with bigints are read with bigints', () => {
  const long = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).filter((n) => n > 2n ** 53n || n < -(2n ** 53n));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 3 }, long, fc.string(), fc.integer(), fc.array(tie('tree')), object(tie('tree'))),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      expect(parseExact(stringifyExact(value))).toEqual(value);
    }),
    { numRuns: 500 },
  );
});

function object(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  // An own property __proto__ has its own test, because `toEqual` ignores it.
  const name = fc.string({ unit: 'binary', maxLength: 6 }).filter((text) => text !== '__proto__');
  return fc.dictionary(name, values, { maxKeys: 4, noNullPrototype: true });
}
