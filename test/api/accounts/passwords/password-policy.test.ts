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
] as const)('rejects %s', (password, weakness) => {
  expect(weaknessOf(password)).toBe(weakness);
});

test.each([
  'grübel-lampe-69-zwiebel',
  'staple battery horse correct',
  'kV7#qLm2!xRt',
  'the lazy otter sings alto',
  'moss piano ladder quartz',
  'Tr0ub4dor&3-and-more-of-it',
])('accepts %s', (password) => {
  expect(weaknessOf(password)).toBeUndefined();
});

test('rejects the own name or address, whatever surrounds it', () => {
  expect(weaknessOf('xk-Adalovelace-93q', { username: 'adalovelace' })).toBe('contains-name');
  expect(weaknessOf('q9-countess-zzvw', { email: 'Countess@example.org' })).toBe('contains-name');
  expect(weaknessOf('q9-countess-zzvw', { email: 'catherine@example.org', username: 'catherine' })).toBeUndefined();
});

test('does not reject names of three letters, which are part of many words', () => {
  expect(weaknessOf('moss piano ladder quartz', { username: 'add' })).toBeUndefined();
});

test('accepts generated passwords', () => {
  for (let round = 0; round < 500; round += 1) {
    const password = randomBytes(12).toString('base64url');
    expect(weaknessOf(password), password).toBeUndefined();
  }
});

test('accepts or rejects any text without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 12, maxLength: 128 }), (bytes) => {
      const password = Buffer.from(bytes).toString('latin1');
      weaknessOf(password, { username: 'catherine', email: 'catherine@example.org' });
    }),
  );
});
