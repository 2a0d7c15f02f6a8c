import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import { newTotpSecret, totpStep, totpUri } from '#api/accounts/second-factor/totp.ts';

/** The key of the test vectors of RFC 6238, appendix B. */
const SECRET = Secret.fromUTF8('12345678901234567890').base32;

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('RFC 6238, appendix B: at %i s the code is %s', (seconds, code) => {
  const step = Math.floor(seconds / 30);
  expect(totpStep(SECRET, code, { nowMs: seconds * 1000, lastStep: 0 })).toBe(step);
});

test('accepts a code one step early and late, and no more', () => {
  const at = (seconds: number) => totpStep(SECRET, '005924', { nowMs: seconds * 1000, lastStep: 0 });
  const step = Math.floor(1_234_567_890 / 30);
  expect([at(step * 30 - 30), at(step * 30 + 59)]).toEqual([step, step]);
  expect([at(step * 30 - 31), at(step * 30 + 60)]).toEqual([undefined, undefined]);
});

test('rejects a code of the last accepted step, or of an earlier one', () => {
  const step = Math.floor(1_234_567_890 / 30);
  const after = (lastStep: number) => totpStep(SECRET, '005924', { nowMs: 1_234_567_890_000, lastStep });
  expect([after(step - 1), after(step), after(step + 1)]).toEqual([step, undefined, undefined]);
});

test('rejects anything but six digits', () => {
  for (const code of ['', '28708', '2870820', '28708a', '２８７０８２'])
    expect(totpStep(SECRET, code, { nowMs: 59_000, lastStep: 0 })).toBeUndefined();
});

test('a new secret has 160 bits, and its URI names the account', () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(secret);
  const uri = new URL(totpUri(secret, 'ada@example.org'));
  expect(uri.protocol).toBe('otpauth:');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret, issuer: 'Trapline', digits: '6', period: '30' });
});
