import { expect, test } from 'vitest';
import { hasSubject, requestOf } from '#dashboards/console/src/pages/exceptions/draft.ts';
import { stateOfException, subjectText } from '#dashboards/console/src/pages/exceptions/exception-state.ts';
import { ruleName } from '#dashboards/console/src/parts/rules/rule-name.ts';

const nothing = { hostname: '', program: ' ', file: '', rule: '', expires: '' };

test('a request omits empty fields and is invalid without any field', () => {
  expect(hasSubject(nothing)).toBe(false);
  expect(requestOf(nothing)).toEqual({});
  expect(requestOf({ ...nothing, hostname: ' build-* ', expires: '2030-01-02T03:04' })).toEqual({
    hostname: 'build-*',
    expires: new Date('2030-01-02T03:04').toISOString(),
  });
});

test('an exception is active until it expires or is removed', () => {
  const now = Date.parse('2026-03-01T00:00:00Z');
  expect(stateOfException({ endedAt: null, expires: null }, now)).toBe('active');
  expect(stateOfException({ endedAt: null, expires: '2026-02-01T00:00:00Z' }, now)).toBe('expired');
  expect(stateOfException({ endedAt: '2026-01-01T00:00:00Z', expires: null }, now)).toBe('removed');
});

test('shows a rule by its name and a rule pattern unchanged', () => {
  const titleOf = (rule: string) => ruleName({ id: rule, name: rule });
  const subject = { hostname: 'lab', program: null, file: null };
  expect(subjectText({ ...subject, rule: 'stack-*' }, titleOf)).toBe('rule stack-*, host lab');
  expect(subjectText({ ...subject, rule: 'stack-canary-probe' }, titleOf)).toBe('Stack canary probe, host lab');
});
