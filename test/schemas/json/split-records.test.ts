import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRecordSplitter, SplitError } from '#schemas/json/split-records.ts';
import { MAX_SCANNED_DEPTH } from '#schemas/json/value-scanner.ts';

/** Splits a text that arrives in pieces of these sizes. The last size repeats; without sizes, the text is one piece. */
function split(text: string, sizes: readonly number[] = [Number.MAX_SAFE_INTEGER]) {
  const records: string[] = [];
  const splitter = createRecordSplitter((record) => records.push(record.toString()));
  const bytes = Buffer.from(text);
  try {
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const size = sizes[Math.min(turn, sizes.length - 1)] ?? 1;
      splitter.push(bytes.subarray(at, at + size));
      at += size;
    }
    splitter.end();
    return { records };
  } catch (error) {
    if (!(error instanceof SplitError)) throw error;
    return { records, error: { message: error.message, position: error.position } };
  }
}

describe('an array', () => {
  test('is split into its elements with all their digits and spaces', () => {
    const text = ' [ {"ip": 18446744073709551615 , "s":"],[\\"}"},\n[1, [2]],"a,b" ,-1.50e+3,null, true ] \n';
    expect(split(text)).toEqual({
      records: ['{"ip": 18446744073709551615 , "s":"],[\\"}"}', '[1, [2]]', '"a,b"', '-1.50e+3', 'null', 'true'],
    });
  });

  test.each(['[]', '\ufeff [ \n] '])('%j has no elements', (text) => {
    expect(split(text)).toEqual({ records: [] });
  });

  test('an element that is invalid within its brackets is a record like any other', () => {
    expect(split('[{"a":1},{"a":tru,},{"a":3}]')).toEqual({ records: ['{"a":1}', '{"a":tru,}', '{"a":3}'] });
  });

  test.each([
    ['[', [], 'the array is not closed', 1],
    ['[1', [], 'the array is not closed', 2],
    ['[1,', ['1'], 'the array is not closed', 3],
    ['[1,]', ['1'], 'expected an element', 3],
    ['[,1]', [], 'expected an element', 1],
    ['[1,,2]', ['1'], 'expected an element', 3],
    ['[{} {}]', ['{}'], 'expected a comma', 4],
    ['["a" "b"]', ['"a"'], 'expected a comma', 5],
    ['[{"a":[1}],{}]', [], 'an element is not closed, or its brackets do not match', 1],
    ['[{},{"a":"b]', ['{}'], 'an element is not closed, or its brackets do not match', 4],
    ['[{}}', ['{}'], 'expected a comma', 3],
    ['[{}] x', ['{}'], 'text follows the array', 5],
    ['[{}][{}]', ['{}'], 'text follows the array', 4],
    [`[${'['.repeat(MAX_SCANNED_DEPTH + 1)}`, [], 'an element is not closed, or its brackets do not match', 1],
  ])('%.40j is incomplete', (text, records, message, position) => {
    expect(split(text)).toEqual({ records, error: { message, position } });
  });

  test('any array is split into its elements', () => {
    const spaces = fc.constantFrom('', ' ', '\n', '\r\n\t ');
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 6 }), spaces, fc.nat({ max: 4 }), (values, space, indent) => {
        const elements = values.map((value) => JSON.stringify(value, null, indent));
        const text = `${space}[${space}${elements.join(`${space},${space}`)}${space}]${space}`;
        expect(split(text)).toEqual({ records: elements });
      }),
    );
  });
});

describe('lines and single values', () => {
  test.each([
    ['', ['']],
    [' \n ', []],
    ['{"a":1}', ['{"a":1}']],
    ['\ufeff {"a":1}\n', ['{"a":1}']],
    ['{\n  "a": 1\n}\n', ['{\n  "a": 1\n}']],
    ['{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
    ['{"a":1}{"b":2}', ['{"a":1}{"b":2}']],
    ['{"a":1\n{"b":2}\n', ['{"a":1', '{"b":2}']],
    ['{"a":]\n{"b":2}\n', ['{"a":]', '{"b":2}']],
    // A broken event that spans several lines is one broken event.
    ['{\n  "a": 1\n', ['{\n  "a": 1']],
    ['nonsense', ['nonsense']],
    ['1\n2', ['1', '2']],
    // Blank lines and line ends of every kind are ignored.
    ['\ufeff{"a":1}\r\n\n  \t\r\n {"b":2} \n{broken\n{"c":3}', ['{"a":1}', '{"b":2}', '{broken', '{"c":3}']],
    // Only line feeds end a line: other separators may occur inside strings.
    ['{"a":"\u2028\u2029\u0085"}\n{}', ['{"a":"\u2028\u2029\u0085"}', '{}']],
  ])('%j', (text, records) => {
    expect(split(text)).toEqual({ records: records.filter((record) => record !== '') });
  });
});

test('a text is split in the same way, however it arrives', () => {
  const text = fc.array(fc.constantFrom(...'[]{}",:\\ \n1a', '\n{', '{"a":1}', '\r\n', '\ufeff', 'é'), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (parts, sizes) => {
      const joined = parts.join('');
      expect(split(joined, sizes)).toEqual(split(joined));
    }),
    { numRuns: 2_000 },
  );
});

test('invalid UTF-8 bytes are kept', () => {
  const records: Buffer[] = [];
  const splitter = createRecordSplitter((record) => records.push(record));
  const odd = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xa0, 0x22, 0x7d]);
  splitter.push(Buffer.concat([Buffer.from('['), odd, Buffer.from(']')]));
  splitter.end();
  expect(records).toEqual([odd]);
});
