import { expect, test } from 'vitest';
import { stacked } from '#dashboards/console/src/parts/charts/count-histogram.tsx';

test('draws stacked bars from the total down to the base line', () => {
  const counts = [
    { at: '', count: 6, parts: { critical: 1, high: 2, low: 3 } },
    { at: '', count: 2, parts: { low: 2 } },
    { at: '', count: 0 },
  ];
  const parts = [{ name: 'critical' }, { name: 'high' }, { name: 'low' }];
  expect(stacked(counts, parts)).toEqual([
    [6, 2, 0],
    [3, 0, 0],
    [1, 0, 0],
  ]);
  expect(stacked(counts, undefined)).toEqual([[6, 2, 0]]);
});
