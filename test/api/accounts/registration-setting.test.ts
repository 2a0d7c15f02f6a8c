import { expect, test } from 'vitest';
import { mayRegister } from '#api/accounts/registration-setting.ts';

test.each([
  ['open', 'a@example.org', true],
  ['closed', 'a@example.org', false],
  [['example.org'], 'a@example.org', true],
  [['example.com', 'example.org'], 'a@example.org', true],
  [['example.org'], 'a@sub.example.org', false],
  [['example.org'], 'a@notexample.org', false],
  [['example.org'], 'a@example.org.evil.test', false],
  [['example.org'], 'example.org@evil.test', false],
  [['example.org'], '"a@example.org"@evil.test', false],
] as const)('REGISTRATION %s admits %s: %s', (setting, email, expected) => {
  expect(mayRegister(setting, email)).toBe(expected);
});
