import type { U64 } from '#schemas/events/versions/v1.ts';

/**
 * Parses a 64-bit address from hexadecimal digits without `0x`. Older kernels print `(null)` for 0. Returns null for
 * other text.
 */
export function parseAddress(digits: string): U64 | null {
  if (digits === '(null)') return 0;
  // Up to thirteen digits (52 bits) are exact as a number. More digits need a bigint.
  if (digits.length <= 13) return Number.parseInt(digits, 16);
  const value = BigInt(`0x${digits}`);
  if (value > 0xffff_ffff_ffff_ffffn) return null;
  return value <= 9_007_199_254_740_991n ? Number(value) : value;
}
