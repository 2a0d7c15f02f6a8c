import { expect, test } from 'vitest';
import { Failure } from '#dashboards/console/src/api/failure.ts';
import { fieldIssues } from '#dashboards/console/src/parts/field-issues.ts';

const failure = (...fields: readonly string[]) =>
  new Failure({
    status: 400,
    issues: fields.map((field) => ({ field, message: `${field} is wrong`, code: 'invalid_value', severity: 'error' })),
  });

test('shows issues of form fields at the fields, without a notice', () => {
  expect(fieldIssues(failure('password', 'password'), ['password', 'email'])).toEqual({
    at: { password: 'Password is wrong; password is wrong' },
    rest: null,
  });
});

test('shows a notice for an issue of another field or without a field', () => {
  const other = failure('password', 'if-match');
  expect(fieldIssues(other, ['password'])).toEqual({ at: { password: 'Password is wrong' }, rest: other });
  const unreachable = new Failure({ status: 0, issues: [] });
  expect(fieldIssues(unreachable, ['password'])).toEqual({ at: {}, rest: unreachable });
  const error = new Error('x');
  expect(fieldIssues(error, ['password'])).toEqual({ at: {}, rest: error });
  expect(fieldIssues(null, ['password'])).toEqual({ at: {}, rest: null });
});
