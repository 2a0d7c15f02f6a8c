const ZERO = 48;
const NINE = 57;
const HIGHS = 0x80808080 | 0;
const ZEROS = 0x30303030;
/** Added to a digit, it stays below the highest bit; added to what is above 9, it does not. */
const ABOVE_NINE = 0x46464646;

export const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

/** The number of four digits, the first in the lowest byte; -1 when one of the bytes is not a digit. */
export function fourDigits(word: number): number {
  const digits = (word - ZEROS) | 0;
  if ((((word + ABOVE_NINE) | digits | word) & HIGHS) !== 0) return -1;
  // Two sums of two digits each, then one of both.
  const pairs = (digits * 10 + (digits >>> 8)) & 0x00ff00ff;
  return (pairs & 0xff) * 100 + (pairs >>> 16);
}
