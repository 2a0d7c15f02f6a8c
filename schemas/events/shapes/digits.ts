const ZERO = 48;
const NINE = 57;
const HIGHS = 0x80808080 | 0;
const ZEROS = 0x30303030;
/** Adding this sets the highest bit of each byte that is above '9'. */
const ABOVE_NINE = 0x46464646;

export const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

/** Returns the number in four ASCII digits, the first digit in the lowest byte. Returns -1 if a byte is not a digit. */
export function fourDigits(word: number): number {
  const digits = (word - ZEROS) | 0;
  if ((((word + ABOVE_NINE) | digits | word) & HIGHS) !== 0) return -1;
  // Combines the digits to two pairs, then the pairs to one number.
  const pairs = (digits * 10 + (digits >>> 8)) & 0x00ff00ff;
  return (pairs & 0xff) * 100 + (pairs >>> 16);
}
