import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyText, newKey } from '#api/accounts/keys/key-format.ts';
import { REDACTED, redactDiff, redactName, redactText } from '#api/http/redact.ts';

test('keeps useful values of an audit log', () => {
  const diff = {
    role: { before: 'user', after: 'admin' },
    disabled: { before: false, after: true },
    endDate: { before: null, after: new Date('2030-01-02T03:04:05.006Z') },
    keyId: { after: 'tl_4Yb0dWn1Kq7x' },
    userId: { after: '0a8b4a4e-7c5a-4a43-9b1e-52ee0f7f6f0d' },
    detectionIds: { after: ['4f1dd6fe1c2a4b7c9d0e1f2a3b4c5d6e'] },
    label: { after: 'the-key-of-the-build-server-in-room-2024' },
    image: { after: 'https://example.org/pictures/of-people/ada.png' },
    threshold: { before: 3, after: 123456 },
    email: { before: 'ada@example.org', after: 'ada.lovelace@example.org' },
    scopes: { after: ['detections:read', 'workflows:run'] },
  };
  expect(redactDiff(diff)).toEqual(JSON.parse(JSON.stringify(diff)));
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
  expect(redactText(agent)).toBe(agent);
  for (const name of ['key:tl_4Yb0dWn1Kq7x', 'dead-letter:events_0f1e2d3c4b5a6978/0/12', 'operator'])
    expect(redactName(name)).toBe(name);
});

test('keeps identifiers with any digits', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 0, max: 2 ** 40 }), (uuid, number) => {
      const diff = { owner: { after: `user:${uuid}` }, file: { after: `report-${number}.pdf` } };
      expect(redactDiff(diff)).toEqual(diff);
      expect(redactName(`user:${uuid}`)).toBe(`user:${uuid}`);
    }),
    { numRuns: 2_000 },
  );
  expect(redactDiff({ owner: 'user:4a123456-1b2c-4d3e-8f90-a1b2c3d4e5f6' })).toEqual({
    owner: 'user:4a123456-1b2c-4d3e-8f90-a1b2c3d4e5f6',
  });
});

test('redacts a field whose name suggests a secret, and keeps its presence', () => {
  const names = [
    'password',
    'newPassword',
    'PASSWORD_HASH',
    'apiKey',
    'api-key',
    'otp',
    'resetToken',
    'code',
    'secretHash',
  ];
  for (const name of names) {
    expect(redactDiff({ [name]: { before: null, after: 'aaa' } })).toEqual({
      [name]: { before: null, after: REDACTED },
    });
    expect(redactDiff({ [name]: 123456 })).toEqual({ [name]: REDACTED });
    expect(redactDiff({ [name]: ['a', { id: 7 }] })).toEqual({ [name]: [REDACTED, { id: REDACTED }] });
  }
});

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
/** Secrets that must never appear in logs, in the forms that the product and other services create. */
const secrets = fc.oneof(
  fc.constant(null).map(() => keyText(newKey())),
  bytes(32).map((raw) => Buffer.from(raw.map((byte) => byte | 1)).toString('hex')),
  fc.constant(null).map(() => randomBytes(32).toString('base64url')),
  fc.constant(null).map(() => createHash('sha256').update(randomBytes(8)).digest('hex')),
  fc.constant(null).map(() => `$2b$10$${randomBytes(40).toString('base64').replaceAll('+', '.').slice(0, 53)}`),
  fc
    .constant(null)
    .map(
      () => `eyJhbGciOiJIUzI1NiJ9.${randomBytes(30).toString('base64url')}.${randomBytes(32).toString('base64url')}`,
    ),
  fc.integer({ min: 0, max: 999_999 }).map((code) => String(code).padStart(6, '0')),
);
const surroundings = fc.constantFrom(
  (secret: string) => secret,
  (secret: string) => `it is ${secret}.`,
  (secret: string) => `https://example.org/auth?token=${secret}&x=1`,
  (secret: string) => `("${secret}")`,
  (secret: string) => `\n${secret}\n`,
);
const places = fc.constantFrom(
  (text: string) => ({ note: { before: null, after: text } }),
  (text: string) => ({ list: { after: ['a', text] } }),
  (text: string) => ({ deep: { after: { a: { b: [text] } } } }),
  (text: string) => ({ password: { after: { anything: text } } }),
);

test('removes keys, tokens, passwords, codes and hashes everywhere', () => {
  fc.assert(
    fc.property(secrets, surroundings, places, (secret, surround, place) => {
      const kept = JSON.stringify(redactDiff(place(surround(secret))));
      expect(kept).not.toContain(secret);
      // A key without its id, or a token without its header, is still a secret.
      const tail = secret.split('.').at(-1) ?? secret;
      if (tail.length >= 6) expect(kept).not.toContain(tail);
    }),
    { numRuns: 2_000 },
  );
});

test('returns JSON of a bounded size that PostgreSQL can store, for any input', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'binary' }), fc.anything({ withBigInt: true, withDate: true })),
      (diff) => {
        const text = JSON.stringify(redactDiff(diff));
        expect(text.length).toBeLessThan(100_000);
        // A remaining backslash begins an escape: backslashes of the texts themselves are doubled.
        const escaped = text.replaceAll('\\\\', '');
        expect(escaped).not.toContain('\\u0000');
        expect(escaped).not.toMatch(/\\ud[89a-f]/i);
      },
    ),
    { numRuns: 150, examples: [[{ '\\ud8': { '\\u0000': '\\ud800' } }], [{ '\ud800': '\u0000', '\0': '\udfff' }]] },
  );
  expect(JSON.stringify(redactDiff({ long: 'word '.repeat(100_000) })).length).toBeLessThan(3_000);
});

test('processes texts of a megabyte from prefixes of secrets', () => {
  for (const piece of ['A', '-S', 'eyJ-', 'password', 'bearer ', '-----BEGIN a', 'x://', 'sk-', '$2b$', 'key=']) {
    const kept = redactText(piece.repeat(Math.ceil(2 ** 20 / piece.length)));
    expect(kept.length).toBeLessThanOrEqual(512);
  }
});
