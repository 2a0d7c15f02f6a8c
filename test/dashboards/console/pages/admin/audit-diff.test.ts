import { expect, test } from 'vitest';
import { changesOf } from '#dashboards/console/src/pages/admin/audit-diff.ts';

test('shows the values before and after a change, and one side for an added or removed value', () => {
  expect(
    changesOf({
      role: { before: 'user', after: 'analyst' },
      endDate: { before: null, after: '2030-01-01' },
      image: { before: 'x' },
    }),
  ).toEqual([
    { field: 'role', before: 'user', after: 'analyst' },
    { field: 'endDate', before: undefined, after: '2030-01-01' },
    { field: 'image', before: 'x', after: undefined },
  ]);
});

test('shows only the new value of a fact, and JSON for values that are not text', () => {
  expect(
    changesOf({ events: 171, scopes: { before: [], after: ['admin'] }, disabled: { before: false, after: true } }),
  ).toEqual([
    { field: 'events', before: undefined, after: '171' },
    { field: 'scopes', before: '[]', after: '[\n  "admin"\n]' },
    { field: 'disabled', before: 'false', after: 'true' },
  ]);
});
