import { expect, test } from 'vitest';
import { refusalOfJson } from '#api/http/responses/json-text.ts';

test.each([
  ['the first half', String.raw`{"a":["x\ud800"]}`, String.raw`\ud800`],
  ['the second half', String.raw`["\uDFFF"]`, String.raw`\uDFFF`],
  ['halves in the wrong order', String.raw`["\udc00\ud800"]`, String.raw`\udc00`],
  ['halves apart', String.raw`["\ud83d \ude00"]`, String.raw`\ud83d`],
  ['two first halves', String.raw`["\ud83d\ud83d\ude00"]`, String.raw`\ud83d`],
  ['a name', String.raw`{"\ud800":1}`, String.raw`\ud800`],
  ['after an escaped backslash', String.raw`["\\\ud800"]`, String.raw`\ud800`],
])('rejects a lone surrogate: %s', (_, text, half) => {
  expect(() => JSON.parse(text)).not.toThrow();
  expect(refusalOfJson(text)?.issues).toEqual([
    expect.objectContaining({
      field: '<root>',
      code: 'invalid_value',
      message: expect.stringContaining(`${half} is half`),
    }),
  ]);
});

test.each([
  ['a pair', String.raw`["\ud83d\ude00"]`],
  ['a character', '["😀"]'],
  ['letters after a backslash', String.raw`["\\ud800"]`],
  ['NUL', String.raw`["\u0000"]`],
  ['text that is not JSON', 'ud800'],
])('accepts other text: %s', (_, text) => {
  expect(refusalOfJson(text)).toBeUndefined();
});
