import { expect, it } from 'vitest';
import { rowAfterKey } from '#dashboards/console/src/parts/list/list-keys.ts';

it.each([
  ['ArrowDown', 21],
  ['j', 21],
  ['ArrowUp', 19],
  ['k', 19],
  ['Home', 0],
  ['End', 39],
  ['PageDown', 35],
  ['PageUp', 5],
  ['Enter', undefined],
  ['x', undefined],
])('the key %s moves from row 20 of 40 to row %s', (key, to) => {
  expect(rowAfterKey(key, 20, 40)).toBe(to);
});

it('no key moves beyond the first or the last row', () => {
  expect(['ArrowUp', 'k', 'PageUp'].map((key) => rowAfterKey(key, 0, 40))).toEqual([0, 0, 0]);
  expect(['ArrowDown', 'j', 'PageDown'].map((key) => rowAfterKey(key, 39, 40))).toEqual([39, 39, 39]);
  expect(['ArrowUp', 'ArrowDown', 'End'].map((key) => rowAfterKey(key, 0, 1))).toEqual([0, 0, 0]);
});
