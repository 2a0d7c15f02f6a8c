/** 2^64 - 1: the comparison is on digits because 2^64 - 1 and 2^64 are the same double. */
const MAX_UINT64_DIGITS = '18446744073709551615';

export type IntegerProblem = 'not_an_integer' | 'negative' | 'too_large';

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * The exact unsigned 64-bit value of a JSON number's source digits. The mathematical value counts, not the spelling: `1e3`,
 * `1.0` and `-0` are integers. A number while that is exact, else a bigint.
 */
export function exactUint64(source: string): number | bigint | IntegerProblem {
  if (source.length <= 20 && isPlainDigits(source)) {
    if (source.length === 20 && source > MAX_UINT64_DIGITS) return 'too_large';
    return narrow(BigInt(source));
  }
  return fromAnySpelling(source);
}

/** As above without an upper bound, for integers of fields no schema knows; undefined when not written as plain digits. */
export function exactPlainInteger(source: string): number | bigint | undefined {
  return isPlainDigits(source[0] === '-' ? source.slice(1) : source) ? narrow(BigInt(source)) : undefined;
}

function fromAnySpelling(source: string): number | bigint | IntegerProblem {
  const match = NUMBER.exec(source);
  if (!match) return 'not_an_integer';
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = trimZeros(whole + fraction);
  if (digits.significant === '') return 0;
  // value = significant * 10^power. A power beyond what a double holds exactly is far out of range either way.
  const power = Number(exponent) - fraction.length + digits.trailing;
  if (power < 0) return 'not_an_integer';
  if (sign === '-') return 'negative';
  if (digits.significant.length + power > MAX_UINT64_DIGITS.length) return 'too_large';
  const plain = digits.significant + '0'.repeat(power);
  if (plain.length === MAX_UINT64_DIGITS.length && plain > MAX_UINT64_DIGITS) return 'too_large';
  return narrow(BigInt(plain));
}

/** Digits without leading and trailing zeros, and how many trailing ones there were. By hand: a regex for trailing zeros is quadratic. */
function trimZeros(digits: string): { significant: string; trailing: number } {
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  return { significant: digits.slice(start, end), trailing: digits.length - end };
}

function isPlainDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return text.length > 0;
}

function narrow(value: bigint): number | bigint {
  return value <= 9007199254740991n && value >= -9007199254740991n ? Number(value) : value;
}
