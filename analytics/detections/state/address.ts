import type { U64 } from '#schemas/events/event.ts';

/**
 * An unsigned 64-bit address as two exact doubles, so that the hot path never computes with bigints: below 2^53 the space is 0
 * and the offset the address; above, the space is minus the top 16 bits and the offset the low 48.
 * Positive spaces are mappings of files (`program-spaces.ts`), with the offset into the mapping.
 */
export interface Address {
  space: number;
  offset: number;
}

const TWO_32 = 2 ** 32;

/** One 64-bit value as two halves: arithmetic with bigints makes a new one for each result. */
const wide = new BigUint64Array(1);
const halves = new Uint32Array(wide.buffer);
const [LOW, HIGH] = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? [0, 1] : [1, 0];

/** Splits a 64-bit address into space and offset, both exact as doubles. */
export function toAddress(value: U64): Address {
  return putAddress(value, { space: 0, offset: 0 });
}

/** The same, into `address`, which it returns. */
export function putAddress(value: U64, address: Address): Address {
  if (typeof value === 'number') {
    address.space = 0;
    address.offset = value;
  } else {
    wide[0] = value;
    const high = halves[HIGH] as number;
    address.space = -(high >>> 16);
    address.offset = (high & 0xffff) * TWO_32 + (halves[LOW] as number);
  }
  return address;
}

/** The nearest double, as `Number` gives it. */
export function toDouble(value: U64): number {
  if (typeof value === 'number') return value;
  wide[0] = value;
  return (halves[HIGH] as number) * TWO_32 + (halves[LOW] as number);
}

/** `value - from`, exact where the result is a safe integer. */
export function distance(value: U64, from: U64): number {
  if (typeof value === 'number' && typeof from === 'number') return value - from;
  wide[0] = typeof value === 'bigint' ? value : BigInt(value);
  const high = halves[HIGH] as number;
  const low = halves[LOW] as number;
  wide[0] = typeof from === 'bigint' ? from : BigInt(from);
  return (high - (halves[HIGH] as number)) * TWO_32 + (low - (halves[LOW] as number));
}

/** The 64-bit address again. */
export function toBigInt(address: Address): bigint {
  if (address.space === 0) return BigInt(address.offset);
  return (BigInt(-address.space) << 48n) + BigInt(address.offset);
}

/** `0x…` without leading zeros, plus `delta` bytes. */
export function toHexadecimal(address: Address, delta = 0): string {
  const sum = address.offset + delta;
  if (address.space === 0 && sum >= 0 && Number.isSafeInteger(sum)) return hexadecimal(sum);
  return `0x${(toBigInt(address) + BigInt(delta)).toString(16)}`;
}

const TWO_24 = 2 ** 24;

/** `toString` of a double is four times slower than that of two small integers. */
function hexadecimal(value: number): string {
  const high = Math.floor(value / TWO_24);
  if (high === 0) return `0x${value.toString(16)}`;
  const low = value - high * TWO_24;
  return `0x${high.toString(16)}${(TWO_24 + low).toString(16).slice(1)}`;
}

/**
 * A register as the kernel prints it: `00007fd70f4f1eec`, `0x7fd7…`, or with its segment, `0033:0x7fd7…`.
 * Undefined when it is anything else, e.g. `(null)`, or longer than 64 bits.
 */
export function parseRegister(text: string | undefined): Address | undefined {
  const address = { space: 0, offset: 0 };
  return putRegister(text, address) ? address : undefined;
}

/** The same, into `address`. Returns whether it was a register; `address` is otherwise left alone. */
export function putRegister(text: string | undefined, address: Address): boolean {
  if (text === undefined) return false;
  let at = 0;
  const length = text.length;
  if (length > 4 && text.charCodeAt(4) === COLON) at = 5;
  if (text.charCodeAt(at) === ZERO && (text.charCodeAt(at + 1) | LETTER_BIT) === SMALL_X) at += 2;
  while (at < length - 1 && text.charCodeAt(at) === ZERO) at += 1;
  const digits = length - at;
  if (digits < 1 || digits > 16) return false;
  // Two halves of at most 8 digits keep the sums in integers.
  const middle = length - 8;
  let signs = 0;
  let first = 0;
  for (; at < middle; at += 1) {
    const code = text.charCodeAt(at);
    const digit = DIGITS[code & LAST_CODE] as number;
    signs |= digit | (LAST_CODE - code);
    first = (first << 4) | digit;
  }
  let second = 0;
  for (; at < length; at += 1) {
    const code = text.charCodeAt(at);
    const digit = DIGITS[code & LAST_CODE] as number;
    signs |= digit | (LAST_CODE - code);
    second = (second << 4) | digit;
  }
  // One that is no digit is negative, and so is the difference for a character beyond the table.
  if (signs < 0) return false;
  const high = first >>> 0;
  const low = second >>> 0;
  const isWide = high >= 0x200000;
  address.space = isWide ? -(high >>> 16) : 0;
  address.offset = (isWide ? high & 0xffff : high) * TWO_32 + low;
  return true;
}

const COLON = 58;
const ZERO = 48;
const SMALL_X = 120;
const LETTER_BIT = 0x20;
const FIRST_LETTER = 97;

/** Value of each hexadecimal digit by its character code, -1 for others: with a table there is no branch that depends on the digits. */
const LAST_CODE = 0xff;
const DIGITS = new Int8Array(LAST_CODE + 1).fill(-1);
for (let digit = 0; digit < 16; digit += 1) {
  const code = digit < 10 ? ZERO + digit : FIRST_LETTER + digit - 10;
  DIGITS[code] = digit;
  if (digit >= 10) DIGITS[code - LETTER_BIT] = digit;
}
