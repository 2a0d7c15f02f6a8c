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

/** Counting the lines of an array that stands on one line once took a second for 5 MB: every element was searched to the end of the body. */
test('the time of a large array on one line grows with its length, not with its square', () => {
  const element = JSON.stringify({ a: 'x'.repeat(200) });
  const time = (count: number) => {
    const body = Buffer.from(`[${Array(count).fill(element).join(',')}]`);
    const started = performance.now();
    expect(splitBody(body)).toHaveLength(count);
    return performance.now() - started;
  };
  time(2_000);
  expect(time(40_000)).toBeLessThan(60 * Math.max(time(2_000), 4));
});
