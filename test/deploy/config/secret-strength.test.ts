import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { weaknessOfSecret } from '#deploy/config/secret-strength.ts';

test.each([
  ['x'.repeat(32), 'repeats one character'],
  ['ab'.repeat(32), 'repeats its first 2 characters'],
  ['0123456789'.repeat(5), 'repeats its first 10 characters'],
  ['correct horse ba'.repeat(2).slice(0, 32), 'repeats its first 16 characters'],
  ['aabbaaabbbabaabbababaabbbaababab', 'has 2 different characters, too few to be random'],
  ['abcdefghijklmnopqrstuvwxyz0123456789', 'is a sequence of neighbouring characters'],
  ['zyxwvutsrqponmlkjihgfedcba9876543210', 'is a sequence of neighbouring characters'],
  ['changeme-changeme-changeme-changeme', undefined],
  ['please-change-this-secret-in-production', 'looks like the placeholder of an example'],
  ['your-super-secret-jwt-key-at-least-32-characters-long', 'looks like the placeholder of an example'],
  ['REPLACE_ME_WITH_A_LONG_RANDOM_STRING_1', 'looks like the placeholder of an example'],
  ['trapline-admin-key-0123456789-example', 'looks like the placeholder of an example'],
])('%j: %s', (secret, weakness) => {
  if (weakness === undefined) expect(weaknessOfSecret(secret)).toBeDefined();
  else expect(weaknessOfSecret(secret)).toBe(weakness);
});

test('accepts generated secrets in every usual form, with and without a prefix', () => {
  for (let round = 0; round < 300; round += 1) {
    const bytes = randomBytes(32);
    for (const secret of [
      bytes.toString('hex').slice(0, 32),
      bytes.toString('hex'),
      bytes.toString('base64'),
      bytes.toString('base64url').slice(0, 32),
      `jwt-secret-${bytes.toString('hex').slice(0, 24)}`,
      BigInt(`0x${bytes.toString('hex')}`)
        .toString()
        .slice(0, 32),
    ])
      expect(weaknessOfSecret(secret), secret).toBeUndefined();
  }
  expect(weaknessOfSecret('otter lamp quarry violin tundra fable')).toBeUndefined();
});
