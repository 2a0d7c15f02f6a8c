import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitBody } from '#api/http/split-body.ts';

test('elements come out with the bytes they had, however they are arranged', () => {
  const value = fc.json({ noUnicodeString: false, stringUnit: 'grapheme' }).filter((text) => !text.includes('\n'));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 10 }), (texts) => {
      const out = (body: string) => splitBody(Buffer.from(body)).map((item) => item.text.toString());
      expect(out(`[${texts.join(' ,\n')}]`)).toEqual(texts);
      expect(out(texts.map((text) => `{"a":${text}}`).join('\r\n\n'))).toEqual(texts.map((text) => `{"a":${text}}`));
    }),
    { numRuns: 200 },
  );
});

/** Every element was once searched to the end of the body: this would take longer than a test may. */
test('a large array of small elements on one line', () => {
  const count = 600_000;
  expect(splitBody(Buffer.from(`[${Array(count).fill('{"a":1}').join(',')}]`))).toHaveLength(count);
});
