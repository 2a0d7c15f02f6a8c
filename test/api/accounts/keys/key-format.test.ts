import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEY_ID, keyText, newKey, newSecret, parseKey } from '#api/accounts/keys/key-format.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const freshKey = fc.constant(undefined).map(() => newKey());

describe('API keys have the form <keyId>.<secret>', () => {
  it('parses a new key back into its parts', () => {
    fc.assert(
      fc.property(freshKey, (key) => {
        expect(parseKey(keyText(key))).toEqual(key);
      }),
    );
  });

  it('carries a prefix for scanners, and stays below the 72 bytes of bcrypt', () => {
    fc.assert(
      fc.property(freshKey, (key) => {
        expect(keyText(key)).toMatch(/^tl_[0-9A-Za-z]{12}\.[0-9A-Za-z]{49}$/);
        expect(key.keyId).toMatch(KEY_ID);
        expect(Buffer.byteLength(key.secret)).toBeLessThan(72);
      }),
    );
  });

  it('is never generated twice', () => {
    const keys = Array.from({ length: 2000 }, newKey);
    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(keys.length);
    expect(new Set(keys.map(({ secret }) => secret)).size).toBe(keys.length);
  });

  it('uses every character at every position of the random part', () => {
    const secrets = Array.from({ length: 2000 }, () => newKey().secret);
    // 43 base-62 digits encode 0.03 bits more than 256, so the first digit takes every value except the last.
    for (let place = 1; place < 43; place += 1) expect(new Set(secrets.map((secret) => secret[place])).size).toBe(62);
  });
});

describe('rejects malformed keys before any look-up', () => {
  it('a key with one character mistyped', () => {
    fc.assert(
      fc.property(freshKey, fc.nat({ max: 64 }), fc.constantFrom(...BASE62), (key, at, other) => {
        const text = keyText(key);
        const wrong = text.slice(0, at) + other + text.slice(at + 1);
        if (wrong !== text) expect(parseKey(wrong)).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  it('a key with two neighbouring characters swapped, truncated or extended', () => {
    fc.assert(
      fc.property(freshKey, fc.integer({ min: 3, max: 63 }), (key, at) => {
        const text = keyText(key);
        const swapped = text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
        if (swapped !== text) expect(parseKey(swapped)).toBeUndefined();
        expect(parseKey(text.slice(0, at))).toBeUndefined();
        expect(parseKey(`${text}0`)).toBeUndefined();
        expect(parseKey(`${text}\n`)).toBeUndefined();
        expect(parseKey(` ${text}`)).toBeUndefined();
      }),
    );
  });

  it('the secret of one key with the id of another', () => {
    fc.assert(
      fc.property(freshKey, freshKey, (one, other) => {
        expect(parseKey(keyText({ keyId: one.keyId, secret: other.secret }))).toBeUndefined();
        expect(parseKey(keyText({ keyId: one.keyId, secret: newSecret(one.keyId) }))).toBeDefined();
      }),
    );
  });

  it('any text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => parseKey(text) === undefined));
    for (const character of ['.', 'a', 'tl_', '\0']) expect(parseKey(character.repeat(100_000))).toBeUndefined();
  });
});
