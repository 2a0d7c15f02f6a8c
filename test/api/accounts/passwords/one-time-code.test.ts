import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOneTimeCodes } from '#api/accounts/passwords/one-time-code.ts';
import { newResetToken, resetTokenHash } from '#api/accounts/passwords/reset-token.ts';

const NEW = 'a new auth secret of the tests, 32+';
const OLD = 'an old auth secret of the tests, 32+';
const codes = createOneTimeCodes({ secrets: [NEW, OLD] });
const sixDigits = fc.integer({ min: 0, max: 999_999 }).map((number) => String(number).padStart(6, '0'));

test('One-time code: 6 digits, including leading zeros', () => {
  const made = Array.from({ length: 2000 }, () => codes.newCode());
  for (const code of made) expect(code).toMatch(/^\d{6}$/);
  const firsts = new Set(made.map(([first]) => first));
  expect(firsts.size).toBe(10);
  expect(new Set(made).size).toBeGreaterThan(1980);
});

test('a code matches its address and no other, and no other code matches', () => {
  fc.assert(
    fc.property(fc.emailAddress(), fc.emailAddress(), sixDigits, sixDigits, (email, other, code, wrong) => {
      const stored = codes.digest(email, code);
      expect(codes.matches(email, code, stored)).toBe(true);
      expect(codes.matches(email, wrong, stored)).toBe(code === wrong);
      expect(codes.matches(other, code, stored)).toBe(email === other);
    }),
    { numRuns: 200 },
  );
});

test('address and code cannot be split at another place', () => {
  expect(codes.digest('a', '123456').equals(codes.digest('a1', '23456'))).toBe(false);
});

test('accepts an old secret while it is listed after the new one', () => {
  const before = createOneTimeCodes({ secrets: [OLD] }).digest('a@example.org', '123456');
  expect(codes.matches('a@example.org', '123456', before)).toBe(true);
  expect(createOneTimeCodes({ secrets: [NEW] }).matches('a@example.org', '123456', before)).toBe(false);
});

test('Password reset token: 256 bits, of which SHA-256 is stored', () => {
  const token = newResetToken();
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(resetTokenHash(token)).toHaveLength(32);
  expect(newResetToken()).not.toBe(token);
});
