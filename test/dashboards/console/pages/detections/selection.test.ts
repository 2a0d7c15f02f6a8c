import { expect, test } from 'vitest';
import { MAX_SELECTED, selectRows, toggleRow } from '#dashboards/console/src/pages/detections/selection.ts';

const row = (id: string) => ({ id, status: 'new', verdict: null, assignee: null, note: null }) as const;
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).join('');
const loaded = ['a', 'b', 'c'].map(row);

test('adds and removes a row', () => {
  const one = toggleRow({ rows: [] }, loaded, row('b'));
  expect(one).toEqual({ rows: [row('b')] });
  expect(toggleRow(one, loaded, row('b'))).toEqual({ rows: [] });
});

test('removing one of all matching rows keeps the other loaded rows selected', () => {
  const all = { rows: [row('a')], all: { detections: 900, asOf: '2026-01-01T00:00:00Z' } };
  const left = toggleRow(all, loaded, row('b'));
  expect(left.all).toBeUndefined();
  expect(idsOf(left.rows)).toBe('ac');
});

test('limits individually selected rows to the maximum of a bulk change', () => {
  const many = Array.from({ length: MAX_SELECTED + 5 }, (_, index) => row(`${index}`));
  const full = selectRows(many);
  expect(full.rows).toHaveLength(MAX_SELECTED);
  expect(toggleRow(full, many, row('x')).rows).toHaveLength(MAX_SELECTED);
});
