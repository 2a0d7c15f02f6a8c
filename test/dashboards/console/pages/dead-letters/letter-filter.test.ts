import { expect, test } from 'vitest';
import { letterFilter } from '#dashboards/console/src/pages/dead-letters/letter-filter.ts';

test('lists dead letters that are not accepted if no state is selected', () => {
  const now = Date.parse('2026-03-02T12:00:30Z');
  expect(letterFilter({}, now)).toEqual({ status: 'open' });
  expect(letterFilter({ status: 'any', code: 'field_missing', q: 'x' }, now)).toEqual({
    code: 'field_missing',
    q: 'x',
  });
  expect(letterFilter({ status: 'redriven', range: '1h' }, now)).toEqual({
    status: 'redriven',
    from: '2026-03-02T11:00:00.000Z',
  });
});
