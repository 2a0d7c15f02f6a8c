import { describe, expect, it } from 'vitest';
import { name, nullableName } from '#analytics/clickhouse/native/low-cardinality.ts';

/** Decodes the column as the server would: values of all rows, and bytes per index. */
function readColumn(data: Iterable<Buffer>): { rows: string[]; width: number } {
  const bytes = Buffer.concat([...data]);
  const width = 1 << Number(bytes.readBigUInt64LE(8) & 0xffn);
  let at = 24;
  const keys = Array.from({ length: Number(bytes.readBigUInt64LE(16)) }, () => {
    const length = bytes[at] as number;
    at += 1 + length;
    return bytes.toString('utf8', at - length, at);
  });
  const count = Number(bytes.readBigUInt64LE(at));
  const rows = Array.from(
    { length: count },
    (_, row) => keys[bytes.readUIntLE(at + 8 + row * width, width)] ?? 'no key',
  );
  expect(bytes.length).toBe(at + 8 + count * width);
  return { rows, width };
}

const valuesOf = (distinct: number) => Array.from({ length: distinct + 100 }, (_, i) => `name-${i % distinct}`);

describe('a column of names', () => {
  for (const [distinct, width] of [
    [1, 1],
    [256, 1],
    [257, 2],
    [65_536, 2],
    [65_537, 4],
  ] as const) {
    it(`of ${distinct} distinct values has an index of ${width} bytes, for single rows and blocks`, () => {
      const values = valuesOf(distinct);
      const encoder = name.open();
      for (let i = 0; i < values.length; i += 64) {
        const rows = values.slice(i, i + 64);
        if (i % 128 === 0) encoder.addAll?.(rows, (value) => value);
        else for (const value of rows) encoder.add(value);
      }
      expect(readColumn(encoder.data())).toEqual({ rows: values, width });
    });
  }

  it('starts again with narrow indexes in the same memory', () => {
    const encoder = nullableName.open();
    for (const value of valuesOf(300)) encoder.add(value);
    encoder.clear();
    encoder.add('one');
    encoder.add(null);
    encoder.add('two');
    expect(readColumn(encoder.data())).toEqual({ rows: ['one', '', 'two'], width: 1 });
  });
});
