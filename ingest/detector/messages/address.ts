import type { U64 } from '#schemas/events/versions/v1.ts';

/** A 64-bit address from its hexadecimal digits (no `0x`); older kernels print `(null)` for 0. Null for other text. */
export function parseAddress(digits: string): U64 | null {
  if (digits === '(null)') return 0;
  // Thirteen digits are 52 bits: exact as a number. Above that only a bigint keeps every digit.
  if (digits.length <= 13) return Number.parseInt(digits, 16);
  const value = BigInt(`0x${digits}`);
  if (value > 0xffff_ffff_ffff_ffffn) return null;
  return value <= 9_007_199_254_740_991n ? Number(value) : value;
}
