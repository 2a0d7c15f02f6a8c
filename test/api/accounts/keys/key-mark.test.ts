import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keyText, newKey } from '#api/accounts/keys/key-format.ts';
import { createKeyMark } from '#api/accounts/keys/key-mark.ts';

it('is the HMAC-SHA-256 of the key, whatever was marked before', () => {
  const secret = randomBytes(64);
  const mark = createKeyMark(secret);
  const keys = fc.oneof(
    fc.constant(undefined).map(() => keyText(newKey())),
    fc.string({ unit: 'grapheme-ascii', maxLength: 128 }),
  );
  fc.assert(
    fc.property(keys, (key) => {
      expect(mark(key)).toBe(createHmac('sha256', secret).update(key, 'latin1').digest('latin1'));
    }),
  );
});

it('is another in another process', () => {
  const key = keyText(newKey());
  expect(createKeyMark()(key)).not.toBe(createKeyMark()(key));
});

it('does not exist for text that is longer than a key', () => {
  expect(() => createKeyMark()('x'.repeat(129))).toThrow(RangeError);
});
