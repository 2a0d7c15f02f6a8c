import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitArray, splitLines, splitRecords } from '#schemas/json/split.ts';

const texts = (pieces: readonly { text: string }[]) => pieces.map((piece) => piece.text);

describe('splitArray', () => {
  test('cuts the elements out with every digit and space of theirs', () => {
    const text = ' [ {"ip": 18446744073709551615 , "s":"],[\\"}"},\n[1, [2]],"a,b" ,-1.50e+3,null, true ] \n';
    expect(splitArray(text)).toEqual({
      pieces: [
        { text: '{"ip": 18446744073709551615 , "s":"],[\\"}"}', line: 1 },
        { text: '[1, [2]]', line: 2 },
        { text: '"a,b"', line: 2 },
        { text: '-1.50e+3', line: 2 },
        { text: 'null', line: 2 },
        { text: 'true', line: 2 },
      ],
    });
  });

  test('an empty array has no elements', () => {
    expect(splitArray('[]')).toEqual({ pieces: [] });
    expect(splitArray('\ufeff [ \n] ')).toEqual({ pieces: [] });
  });

  test('an element that is wrong within its brackets is cut out like any other', () => {
    expect(splitArray('[{"a":1},{"a":tru,},{"a":3}]')).toEqual({
      pieces: [
        { text: '{"a":1}', line: 1 },
        { text: '{"a":tru,}', line: 1 },
        { text: '{"a":3}', line: 1 },
      ],
    });
  });

  test.each([
    ['', [], 'an array is expected', 0],
    ['{}', [], 'an array is expected', 0],
    ['[', [], 'the array is not closed', 1],
    ['[1', ['1'], 'the array is not closed', 2],
    ['[1,', ['1'], 'the array is not closed', 3],
    ['[1,]', ['1'], 'an element is expected', 3],
    ['[,1]', [], 'an element is expected', 1],
    ['[1,,2]', ['1'], 'an element is expected', 3],
    ['[{} {}]', ['{}'], 'a comma is expected', 4],
    ['["a" "b"]', ['"a"'], 'a comma is expected', 5],
    ['[{"a":[1}],{}]', [], 'an element is not closed, or its brackets do not match', 1],
    ['[{},{"a":"b]', ['{}'], 'an element is not closed, or its brackets do not match', 4],
    ['[{}}', ['{}'], 'a comma is expected', 3],
    ['[{}] x', ['{}'], 'text follows the array', 5],
    ['[{}][{}]', ['{}'], 'text follows the array', 4],
  ])('%j breaks off with what came before kept', (text, kept, message, position) => {
    const result = splitArray(text);
    expect(texts(result.pieces)).toEqual(kept);
    expect(result.error).toEqual({ message, position });
  });

  test('any array is cut into its elements', () => {
    const spaces = fc.constantFrom('', ' ', '\n', '\r\n\t ');
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 6 }), spaces, fc.nat({ max: 4 }), (values, space, indent) => {
        const elements = values.map((value) => JSON.stringify(value, null, indent));
        const text = `${space}[${space}${elements.join(`${space},${space}`)}${space}]${space}`;
        const result = splitArray(text);
        expect(result.error).toBeUndefined();
        expect(texts(result.pieces)).toEqual(elements);
      }),
    );
  });

  test('no text makes it hang or throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]{}",:\\ \n1a'), maxLength: 40 }), (text) => {
        for (const piece of splitRecords(`[${text}`).pieces) expect(text).toContain(piece.text);
        splitRecords(text);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('splitLines', () => {
  test('one record a line; blank lines and line ends of every kind do not count', () => {
    expect(splitLines('\ufeff{"a":1}\r\n\n  \t\r\n {"b":2} \n{broken\n{"c":3}')).toEqual([
      { text: '{"a":1}', line: 1 },
      { text: '{"b":2}', line: 4 },
      { text: '{broken', line: 5 },
      { text: '{"c":3}', line: 6 },
    ]);
    expect(splitLines('')).toEqual([]);
    expect(splitLines('\n\n')).toEqual([]);
  });

  test('only line feeds end a line: other separators may stand inside strings', () => {
    expect(texts(splitLines('{"a":"\u2028\u2029\u0085"}\n{}'))).toEqual(['{"a":"\u2028\u2029\u0085"}', '{}']);
  });
});

describe('splitRecords', () => {
  test.each([
    ['', []],
    [' \n ', []],
    ['{"a":1}', ['{"a":1}']],
    ['\ufeff {"a":1}\n', ['{"a":1}']],
    ['{\n  "a": 1\n}\n', ['{\n  "a": 1\n}']],
    ['[{"a":1},{"b":2}]', ['{"a":1}', '{"b":2}']],
    ['[]', []],
    ['{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
    ['{"a":1\n{"b":2}\n', ['{"a":1', '{"b":2}']],
    // One broken event over several lines is one broken event.
    ['{\n  "a": 1\n', ['{\n  "a": 1']],
    ['nonsense', ['nonsense']],
  ])('%j', (text, expected) => {
    const result = splitRecords(text);
    expect(result.error).toBeUndefined();
    expect(texts(result.pieces)).toEqual(expected);
  });
});
