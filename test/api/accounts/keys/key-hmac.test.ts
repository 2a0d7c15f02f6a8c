import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keyText, newKey } from '#api/accounts/keys/key-format.ts';
import { createKeyHmac } from '#api/accounts/keys/key-hmac.ts';

it('is the HMAC-SHA-256 of the key, whatever was hashed before', () => {
  const secret = randomBytes(64);
  const hmac = createKeyHmac(secret);
  const keys = fc.oneof(
    fc.constant(undefined).map(() => keyText(newKey())),
    fc.string({ unit: 'grapheme-ascii', maxLength: 128 }),
  );
  fc.assert(
    fc.property(keys, (key) => {
      expect(hmac(key)).toBe(createHmac('sha256', secret).update(key, 'latin1').digest('latin1'));
    }),
  );
});

it('differs between processes', () => {
  const key = keyText(newKey());
  expect(createKeyHmac()(key)).not.toBe(createKeyHmac()(key));
});

it('does not exist for text that is longer than a key', () => {
  expect(() => createKeyHmac()('x'.repeat(129))).toThrow(RangeError);
});
