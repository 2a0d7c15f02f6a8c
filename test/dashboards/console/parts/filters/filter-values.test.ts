import { expect, test } from 'vitest';
import {
  filterFor,
  filterOut,
  joinValues,
  splitValues,
  withoutValue,
} from '#dashboards/console/src/parts/filters/filter-values.ts';

test.each([
  [['web-1'], 'web-1'],
  [['web-1', 'web-2', 'web-1'], 'web-1,web-2'],
  [['/srv/a,b', 'c'], '/srv/a\\,b,c'],
  [[], undefined],
])('converts the values %j to the text %s and back', (values, text) => {
  expect(joinValues(values)).toBe(text);
  expect(splitValues(text)).toEqual([...new Set(values)]);
});

test('filtering for a value replaces the values of its filter and removes its exclusion', () => {
  const before = { hostname: 'web-1,web-2', 'exclude.hostname': 'web-3', status: 'new' };
  expect({ ...before, ...filterFor('hostname', 'web-3') }).toEqual({
    hostname: 'web-3',
    'exclude.hostname': undefined,
    status: 'new',
  });
});

test('excluding a value removes it from the selected values and adds it to the exclusions', () => {
  const before = { hostname: 'web-1,web-2', 'exclude.hostname': 'web-3' };
  expect(filterOut(before, 'hostname', 'web-1')).toEqual({ hostname: 'web-2', 'exclude.hostname': 'web-3,web-1' });
  expect(filterOut({ hostname: 'a,b' }, 'hostname', 'a,b')).toEqual({
    hostname: 'a,b',
    'exclude.hostname': 'a\\,b',
  });
  expect(withoutValue({ 'exclude.file': 'a,b' }, 'exclude.file', 'a')).toEqual({ 'exclude.file': 'b' });
  expect(withoutValue({ 'exclude.file': 'a' }, 'exclude.file', 'a')).toEqual({ 'exclude.file': undefined });
});
