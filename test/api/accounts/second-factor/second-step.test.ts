import { expect, test } from 'vitest';
import {
  CONFIRMATION_MS,
  confirmedUntil,
  mayUseSession,
  secondStepOf,
} from '#api/accounts/second-factor/second-step.ts';

test.each([
  ['user', false, [], 'none'],
  ['user', true, [], 'verify'],
  ['admin', false, ['admin'], 'enrol'],
  ['admin', true, ['admin'], 'verify'],
  ['analyst', false, ['admin'], 'none'],
] as const)('%s with a factor: %s, required of %j: %s', (role, hasFactor, required, step) => {
  expect(secondStepOf({ role, hasFactor }, required)).toBe(step);
});

test.each([
  ['user', false, [], true],
  ['admin', false, ['admin'], false],
  ['admin', true, ['admin'], true],
] as const)(
  'a session of %s with a second factor: %s, required of %j, is accepted: %s',
  (role, secondFactor, required, accepted) => {
    expect(mayUseSession({ role, secondFactor }, required)).toBe(accepted);
  },
);

test('a confirmation is valid for ten minutes', () => {
  const at = new Date('2026-01-02T03:04:05.678Z');
  expect(confirmedUntil(null, at.getTime())).toBeNull();
  expect(confirmedUntil(at, at.getTime() + CONFIRMATION_MS - 1)).toEqual(new Date('2026-01-02T03:14:05.678Z'));
  expect(confirmedUntil(at, at.getTime() + CONFIRMATION_MS)).toBeNull();
});
