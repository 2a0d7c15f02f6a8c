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
])('the values %j are the text %s, and back', (values, text) => {
  expect(joinValues(values)).toBe(text);
  expect(splitValues(text)).toEqual([...new Set(values)]);
});

test('to filter for a value replaces the values of its filter, and lets it in again', () => {
  const before = { hostname: 'web-1,web-2', 'exclude.hostname': 'web-3', status: 'new' };
  expect({ ...before, ...filterFor('hostname', 'web-3') }).toEqual({
    hostname: 'web-3',
    'exclude.hostname': undefined,
    status: 'new',
  });
});

test('to filter a value out takes it from the chosen ones and adds it to those that are left out', () => {
  const before = { hostname: 'web-1,web-2', 'exclude.hostname': 'web-3' };
  expect(filterOut(before, 'hostname', 'web-1')).toEqual({ hostname: 'web-2', 'exclude.hostname': 'web-3,web-1' });
  expect(filterOut({ hostname: 'a,b' }, 'hostname', 'a,b')).toEqual({
    hostname: 'a,b',
    'exclude.hostname': 'a\\,b',
  });
  expect(withoutValue({ 'exclude.file': 'a,b' }, 'exclude.file', 'a')).toEqual({ 'exclude.file': 'b' });
  expect(withoutValue({ 'exclude.file': 'a' }, 'exclude.file', 'a')).toEqual({ 'exclude.file': undefined });
});
