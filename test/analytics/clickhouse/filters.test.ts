import { expect, test } from 'vitest';
import { mergeParams } from '#analytics/clickhouse/read-models/filters.ts';

test('merges fragments with different names, or the same value', () => {
  expect(mergeParams({ from: '1' }, {}, { to: '2', from: '1' })).toEqual({ from: '1', to: '2' });
});

test('rejects two values for one name by name', () => {
  expect(() => mergeParams({ from: '1' }, { from: '2' })).toThrow('query parameter {from} has two values');
});
