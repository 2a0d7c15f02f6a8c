import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GrowingBytes } from '#analytics/clickhouse/native/growing-bytes.ts';
import { storedSize, storedTexts, storeText } from '#analytics/clickhouse/native/stored-text.ts';

const text = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.constantFrom(127, 128, 16_383, 16_384, 70_000).map((length) => new Uint8Array(length).fill(120)),
);

function asWritten(texts: readonly Uint8Array[]): Buffer {
  const out = new GrowingBytes(16);
  for (const one of texts) out.blob(Buffer.from(one));
  return Buffer.from(out.bytes());
}

it('writes the same column for stored texts, together or separate, and for plain texts', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, fc.constantFrom('together', 'apart', 'as they are')), { maxLength: 20 }),
      (texts) => {
        const column = storedTexts.open();
        const memory = Buffer.alloc(texts.reduce((sum, [one]) => sum + storedSize(one.length), 0));
        let at = 0;
        for (const [one, how] of texts) {
          const from = how === 'apart' ? 0 : at;
          const place = how === 'apart' ? Buffer.alloc(storedSize(one.length)) : memory;
          const to = storeText(Buffer.from(one), place, from);
          expect(to - from).toBe(storedSize(one.length));
          column.add(how === 'as they are' ? Buffer.from(one) : { memory: place, from, to });
          if (how === 'together') at = to;
        }
        const expected = asWritten(texts.map(([one]) => one));
        expect(column.bytes).toBe(expected.length);
        for (const _ of ['once', 'again']) expect(Buffer.concat([...column.data()]).equals(expected)).toBe(true);
      },
    ),
    { numRuns: 50 },
  );
});

it('starts again when cleared', () => {
  const column = storedTexts.open();
  column.add(Buffer.from('old'));
  column.clear();
  column.add(Buffer.from('new'));
  expect(Buffer.concat([...column.data()])).toEqual(asWritten([Buffer.from('new')]));
});
