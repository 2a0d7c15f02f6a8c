import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { weaknessOf } from '#api/accounts/passwords/password-policy.ts';

test.each([
  ['password1234', 'common'],
  ['P@ssw0rd1234', 'common'],
  ['Password-2024', 'common'],
  ['Summer2026!!', 'common'],
  ['correct horse battery staple', 'common'],
  ['1qaz2wsx3edc', 'common'],
  ['qwertyuiop123', 'common'],
  ['iloveyou-forever', 'common'],
  ['Welcome12345!', 'common'],
  ['Sunshine.Princess7', 'common'],
  ['xXdragonXx1234', 'common'],
  ['abcdefghijkl', 'common'],
  ['hgfedcba87654321', 'sequence'],
  ['klmnopqrstuvw', 'sequence'],
  ['aaaaaaaaaaaa', 'repeated'],
  ['tiktaktiktaktiktak', 'repeated'],
  ['1221122112211', 'repeated'],
] as const)('%s is refused', (password, weakness) => {
  expect(weaknessOf(password)).toBe(weakness);
});

test.each([
  'grübel-lampe-69-zwiebel',
  'staple battery horse correct',
  'kV7#qLm2!xRt',
  'the lazy otter sings alto',
  'moss piano ladder quartz',
  'Tr0ub4dor&3-and-more-of-it',
])('%s may be used', (password) => {
  expect(weaknessOf(password)).toBeUndefined();
});

test('the own name or address is no password, whatever stands around it', () => {
  expect(weaknessOf('xk-Adalovelace-93q', { username: 'adalovelace' })).toBe('contains-name');
  expect(weaknessOf('q9-countess-zzvw', { email: 'Countess@example.org' })).toBe('contains-name');
  expect(weaknessOf('q9-countess-zzvw', { email: 'catherine@example.org', username: 'catherine' })).toBeUndefined();
});

test('names of three letters stand in too many words to be looked for', () => {
  expect(weaknessOf('moss piano ladder quartz', { username: 'add' })).toBeUndefined();
});

test('passwords of a generator may be used', () => {
  for (let round = 0; round < 500; round += 1) {
    const password = randomBytes(12).toString('base64url');
    expect(weaknessOf(password), password).toBeUndefined();
  }
});

test('any text gets an answer', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 12, maxLength: 128 }), (bytes) => {
      const password = Buffer.from(bytes).toString('latin1');
      weaknessOf(password, { username: 'catherine', email: 'catherine@example.org' });
    }),
  );
});
