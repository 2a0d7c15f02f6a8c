import { expect, test } from 'vitest';
import { requestOf, saysWhat } from '#dashboards/console/src/pages/exceptions/draft.ts';
import { stateOfException, subjectText } from '#dashboards/console/src/pages/exceptions/exception-state.ts';

const nothing = { hostname: '', program: ' ', file: '', rule: '', expires: '' };

test('what is empty is no part of an exception, and one that says nothing is none', () => {
  expect(saysWhat(nothing)).toBe(false);
  expect(requestOf(nothing)).toEqual({});
  expect(requestOf({ ...nothing, hostname: ' build-* ', expires: '2030-01-02T03:04' })).toEqual({
    hostname: 'build-*',
    expires: new Date('2030-01-02T03:04').toISOString(),
  });
});

test('an exception holds until its end, or until it is taken away', () => {
  const now = Date.parse('2026-03-01T00:00:00Z');
  expect(stateOfException({ endedAt: null, expires: null }, now)).toBe('holds');
  expect(stateOfException({ endedAt: null, expires: '2026-02-01T00:00:00Z' }, now)).toBe('expired');
  expect(stateOfException({ endedAt: '2026-01-01T00:00:00Z', expires: null }, now)).toBe('taken away');
  expect(subjectText({ hostname: 'lab', rule: 'stack-*', program: null, file: null })).toBe('rule stack-*, host lab');
});
