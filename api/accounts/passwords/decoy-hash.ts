import { randomBytes } from 'node:crypto';

/** As bcrypt counts in base 64. */
const DIGITS = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Salt and result. */
const DIGITS_OF_A_HASH = 53;

/**
 * A bcrypt hash of an unknown password, for comparisons where the account has none: drawn, not computed, so that making one takes no time. Comparing with it
 * takes as long as with any other of its cost, and matches with a chance of one in 2^184.
 */
export function decoyHash(cost: number): string {
  const digits = Array.from(randomBytes(DIGITS_OF_A_HASH), (byte) => DIGITS[byte % DIGITS.length]);
  return `$2b$${String(cost).padStart(2, '0')}$${digits.join('')}`;
}
