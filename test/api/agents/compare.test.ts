import { describe, expect, test } from 'vitest';
import { differences, MAX_DIFFERENCES } from '#api/agents/compare.ts';
import type { JsonValue } from '#api/executions/json-value.ts';

describe('an output and the expected output', () => {
  test.each<[string, JsonValue, JsonValue, string[], string[]]>([
    ['the same', { a: [1, { b: null }] }, { a: [1, { b: null }] }, [], []],
    ['more than expected', { a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }, [], ['/a/c', '/d']],
    ['less', { a: 1, b: 2 }, { a: 1 }, ['/b'], ['/b']],
    ['null for nothing', { a: null }, {}, ['/a'], ['/a']],
    ['another type', { a: 1 }, { a: '1' }, ['/a'], ['/a']],
    ['a list for an object', { a: {} }, { a: [] }, ['/a'], ['/a']],
    ['a longer list', [1], [1, 2], ['/'], ['/']],
    ['items with more', [{ a: 1 }], [{ a: 1, b: 2 }], [], ['/0/b']],
    ['names with signs of a pointer', { 'a/b~': 1 }, { 'a/b~': 2 }, ['/a~1b~0'], ['/a~1b~0']],
    ['names of prototypes', { toString: 1, __proto__: 1 }, {}, ['/toString'], ['/toString']],
    ['a value alone', 'yes', 'no', ['/'], ['/']],
  ])('%s', (_, expected, actual, subset, exact) => {
    expect(differences(expected, actual, 'subset').map(({ path }) => path)).toEqual(subset);
    expect(differences(expected, actual, 'exact').map(({ path }) => path)).toEqual(exact);
  });

  test('are reported with both values, within limits', () => {
    expect(differences({ a: 1 }, { a: 2 }, 'exact')).toEqual([{ path: '/a', message: '1 is expected, not 2' }]);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`n${at}`, 'x'.repeat(5000)]));
    const found = differences(many, {}, 'subset');
    expect(found).toHaveLength(MAX_DIFFERENCES);
    expect(found[0]?.message.length).toBeLessThan(300);
  });
});
