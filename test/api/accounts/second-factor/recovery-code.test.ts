import { expect, test } from 'vitest';
import { newRecoveryCodes, normalRecoveryCode, recoveryCodeHash } from '#api/accounts/second-factor/recovery-code.ts';

test('generates ten different codes, which normalize to themselves without dashes', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
    expect(normalRecoveryCode(code)).toBe(code.replaceAll('-', ''));
  }
});

test.each([
  ['7K2M 9XQD 04TV HE5C', '7k2m9xqd04tvhe5c'],
  ['7k2m9xqdO4tvhe5c', '7k2m9xqd04tvhe5c'],
  ['7k2m-9xqd-04tv-heic', '7k2m9xqd04tvhe1c'],
  ['042137', undefined],
  ['7k2m-9xqd-04tv-he5', undefined],
  ['7k2m-9xqd-04tv-he5u', undefined],
])('reads %s as %s', (typed, code) => {
  expect(normalRecoveryCode(typed)).toBe(code);
});

test('the hash of a code differs by account', () => {
  expect(recoveryCodeHash('a', '7k2m9xqd04tvhe5c')).not.toEqual(recoveryCodeHash('b', '7k2m9xqd04tvhe5c'));
});
