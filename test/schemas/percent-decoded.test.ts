import { expect, test } from 'vitest';
import { percentDecoded } from '#schemas/percent-decoded.ts';

test.each([
  ['a%20b%C3%BC', 'a bü'],
  ['100 %', '100 %'],
  ['%ff', '%ff'],
  ['', ''],
])('%s', (text, decoded) => {
  expect(percentDecoded(text)).toBe(decoded);
});
