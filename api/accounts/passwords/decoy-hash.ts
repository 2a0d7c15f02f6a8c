import { randomBytes } from 'node:crypto';

/** Alphabet of bcrypt's base 64. */
const DIGITS = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Characters of salt and result. */
const DIGITS_OF_A_HASH = 53;

/**
 * Returns a bcrypt hash of an unknown password, for comparisons if the account has no password. It is random instead of
 * computed, so creating it takes no time. A comparison takes as long as with any hash of this cost, and matches with a
 * probability of 2^-184.
 */
export function decoyHash(cost: number): string {
  const digits = Array.from(randomBytes(DIGITS_OF_A_HASH), (byte) => DIGITS[byte % DIGITS.length]);
  return `$2b$${String(cost).padStart(2, '0')}$${digits.join('')}`;
}
