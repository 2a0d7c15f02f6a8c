/*
 * Numbers from ASCII digits. Each function returns false for texts that it does not read, and otherwise sets `value`;
 * `readInteger` also sets `end`. The host reads all other texts.
 */

export let value: u64 = 0;
export let end: usize = 0;

const ZERO: u8 = 48;
/** A double represents every integer of up to this many digits exactly. */
const EXACT_DIGITS: usize = 15;
const MAX_DIGITS: usize = 20;
/** The first sixteen and the last four digits of 2^64 - 1. */
const MAX_UPPER: u64 = 1844674407370955;
const MAX_LOWER: u64 = 1615;

export function isDigit(byte: u8): bool {
  return byte - ZERO <= 9;
}

/** Returns the number in eight ASCII digits, the first digit in the lowest byte. */
export function eightDigits(word: u64): u64 {
  let sums = word & 0x0f0f0f0f0f0f0f0f;
  sums = (sums * 10 + (sums >> 8)) & 0x00ff00ff00ff00ff;
  sums = (sums * 100 + (sums >> 16)) & 0x0000ffff0000ffff;
  return (sums * 10000 + (sums >> 32)) & 0xffffffff;
}

/**
 * Returns a word in which the highest bit of the first byte that is no digit is set, and of no byte before it. Returns
 * 0 if all bytes are digits.
 */
export function nonDigits(word: u64): u64 {
  const above = (word & 0x7f7f7f7f7f7f7f7f) + 0x4646464646464646;
  return (above | (word - 0x3030303030303030) | word) & 0x8080808080808080;
}

/** Reads an integer without sign, fraction or exponent. `isLong`: up to 2^64 - 1; otherwise up to 15 digits. */
export function readInteger(from: usize, to: usize, isLong: bool): bool {
  let at = from;
  let sum: u64 = 0;
  while (true) {
    const word = load<u64>(at);
    const others = nonDigits(word);
    if (others === 0) {
      if (at - from >= 16) return false;
      sum = sum * 100000000 + eightDigits(word);
      at += 8;
      continue;
    }
    const digits: u64 = ctz(others) >> 3;
    if (digits !== 0) {
      // The shift puts zeros before the digits.
      const last = eightDigits(word << ((8 - digits) << 3));
      at += digits as usize;
      if (at - from > MAX_DIGITS) return false;
      if (at - from === MAX_DIGITS && (sum > MAX_UPPER || (sum === MAX_UPPER && last > MAX_LOWER))) return false;
      sum = sum * powerOfTen(digits as u32) + last;
    }
    break;
  }
  if (at === from || at > to || (at - from > 1 && load<u8>(from) === ZERO)) return false;
  if (!isLong && at - from > EXACT_DIGITS) return false;
  value = sum;
  end = at;
  return true;
}

function powerOfTen(exponent: u32): u64 {
  switch (exponent) {
    case 1:
      return 10;
    case 2:
      return 100;
    case 3:
      return 1000;
    case 4:
      return 10000;
    case 5:
      return 100000;
    case 6:
      return 1000000;
    default:
      return 10000000;
  }
}

/** Reads one to ten digits, as `decimal` of `analytics/formats/event-columns.ts` does. */
export function readDecimal(from: usize, size: usize): bool {
  if (size === 0 || size > 10) return false;
  let sum: u64 = 0;
  for (let at = from; at < from + size; at += 1) {
    const digit = load<u8>(at) - ZERO;
    if (digit > 9) return false;
    sum = sum * 10 + (digit as u64);
  }
  value = sum;
  return true;
}

/** Reads a register of up to 16 digits: `00007fd70f4f1eec`, `0x7fd7…`, or with its segment, `0033:0x7fd7…`. */
export function readRegister(from: usize, size: usize): bool {
  const to = from + size;
  let at = from;
  if (size > 5 && load<u8>(at + 4) === 58) {
    for (; at < from + 4; at += 1) if (hexadecimalDigit(load<u8>(at)) > 15) return false;
    at += 1;
  }
  if (to - at > 2 && load<u8>(at) === ZERO && (load<u8>(at + 1) | 32) === 120) at += 2;
  if (at >= to || to - at > 16) return false;
  let sum: u64 = 0;
  for (; at < to; at += 1) {
    const digit = hexadecimalDigit(load<u8>(at));
    if (digit > 15) return false;
    sum = (sum << 4) | (digit as u64);
  }
  value = sum;
  return true;
}

/** Returns a number above 15 for other characters. */
function hexadecimalDigit(byte: u8): u8 {
  const digit: u8 = byte - ZERO;
  if (digit <= 9) return digit;
  const letter: u8 = (byte | 32) - 97;
  return letter <= 5 ? letter + 10 : 255;
}
