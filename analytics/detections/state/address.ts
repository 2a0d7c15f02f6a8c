import type { U64 } from '#schemas/events/event.ts';

/**
 * An unsigned 64-bit address as two exact doubles, so that the hot path needs no bigint arithmetic. Below 2^53, the
 * space is 0 and the offset is the address. Above, the space is minus the top 16 bits, and the offset is the low 48
 * bits. Positive spaces are mappings of files (`program-spaces.ts`), with the offset into the mapping.
 */
export interface Address {
  space: number;
  offset: number;
}

const TWO_32 = 2 ** 32;

/** One 64-bit value as two halves. Bigint arithmetic would allocate for each result. */
const wide = new BigUint64Array(1);
const halves = new Uint32Array(wide.buffer);
const [LOW, HIGH] = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? [0, 1] : [1, 0];

/** Splits a 64-bit address into space and offset, both exact as doubles. */
export function toAddress(value: U64): Address {
  return putAddress(value, { space: 0, offset: 0 });
}

/** The same, but writes to `address` and returns it. */
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

/** Returns the nearest double, as `Number` does. */
export function toDouble(value: U64): number {
  if (typeof value === 'number') return value;
  wide[0] = value;
  return (halves[HIGH] as number) * TWO_32 + (halves[LOW] as number);
}

/** Returns `value - from`, exact if the result is a safe integer. */
export function distance(value: U64, from: U64): number {
  if (typeof value === 'number' && typeof from === 'number') return value - from;
  wide[0] = typeof value === 'bigint' ? value : BigInt(value);
  const high = halves[HIGH] as number;
  const low = halves[LOW] as number;
  wide[0] = typeof from === 'bigint' ? from : BigInt(from);
  return (high - (halves[HIGH] as number)) * TWO_32 + (low - (halves[LOW] as number));
}

/** Converts back to the 64-bit address. */
export function toBigInt(address: Address): bigint {
  if (address.space === 0) return BigInt(address.offset);
  return (BigInt(-address.space) << 48n) + BigInt(address.offset);
}

/** Returns the address plus `delta` bytes as `0x…` without leading zeros. */
export function toHexadecimal(address: Address, delta = 0): string {
  const sum = address.offset + delta;
  if (address.space === 0 && sum >= 0 && Number.isSafeInteger(sum)) return hexadecimal(sum);
  return `0x${(toBigInt(address) + BigInt(delta)).toString(16)}`;
}

const TWO_24 = 2 ** 24;

/** Formats a number. `toString` of a double is four times slower than that of two small integers. */
function hexadecimal(value: number): string {
  const high = Math.floor(value / TWO_24);
  if (high === 0) return `0x${value.toString(16)}`;
  const low = value - high * TWO_24;
  return `0x${high.toString(16)}${(TWO_24 + low).toString(16).slice(1)}`;
}

/**
 * Parses a register as the kernel prints it: `00007fd70f4f1eec`, `0x7fd7…`, or with its segment, `0033:0x7fd7…`.
 * Returns undefined for anything else, for example `(null)`, or for more than 64 bits.
 */
export function parseRegister(text: string | undefined): Address | undefined {
  const address = { space: 0, offset: 0 };
  return putRegister(text, address) ? address : undefined;
}

/** The same, but writes to `address`. Returns false, and leaves `address` unchanged, if the text is no register. */
export function putRegister(text: string | undefined, address: Address): boolean {
  if (text === undefined) return false;
  let at = 0;
  const length = text.length;
  if (length > 4 && text.charCodeAt(4) === COLON) at = 5;
  if (text.charCodeAt(at) === ZERO && (text.charCodeAt(at + 1) | LETTER_BIT) === SMALL_X) at += 2;
  while (at < length - 1 && text.charCodeAt(at) === ZERO) at += 1;
  const digits = length - at;
  if (digits < 1 || digits > 16) return false;
  // Two halves of at most 8 digits keep the sums within integers.
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
  // A non-digit has the value -1, which makes `signs` negative. So does a character beyond the table.
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

/**
 * Value of each hexadecimal digit by its character code, -1 for other characters. The table avoids branches that depend
 * on the digits.
 */
const LAST_CODE = 0xff;
const DIGITS = new Int8Array(LAST_CODE + 1).fill(-1);
for (let digit = 0; digit < 16; digit += 1) {
  const code = digit < 10 ? ZERO + digit : FIRST_LETTER + digit - 10;
  DIGITS[code] = digit;
  if (digit >= 10) DIGITS[code - LETTER_BIT] = digit;
}
