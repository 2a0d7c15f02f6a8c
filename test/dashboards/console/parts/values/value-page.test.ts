import { expect, test } from 'vitest';
import { addressOf, namedPage } from '#dashboards/console/src/parts/values/value-page.ts';

test('links targets of the audit log to their pages', () => {
  const page = namedPage('case:case_1');
  expect(page).toEqual({ kind: 'case', id: 'case_1' });
  expect(page && addressOf(page)).toMatchObject({ to: '/cases/$id', params: { id: 'case_1' } });
  expect(namedPage('user:a:b')).toEqual({ kind: 'user', id: 'a:b' });
});

test.each(['operator', 'session:1', 'case:', 'toString:1', 'Case:1'])('%s has no page', (text) => {
  expect(namedPage(text)).toBeUndefined();
});
