/** 2^64 - 1. Compared by digits, because 2^64 - 1 and 2^64 are the same double. */
const MAX_UINT64_DIGITS = '18446744073709551615';

export type IntegerProblem = 'not_an_integer' | 'negative' | 'too_large';

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Returns the exact unsigned 64-bit value of a JSON number in source form. `1e3`, `1.0` and `-0` are integers, because
 * the mathematical value counts. Returns a number if that is exact, otherwise a bigint. `plain`: the source consists
 * only of digits.
 */
export function exactUint64(source: string, plain: boolean): number | bigint | IntegerProblem {
  if (!plain) return fromAnySpelling(source);
  if (source.length < MAX_UINT64_DIGITS.length) return narrow(source);
  return source.length > MAX_UINT64_DIGITS.length || source > MAX_UINT64_DIGITS ? 'too_large' : BigInt(source);
}

/**
 * Returns the exact value of an integer without bounds, for fields that the schema does not declare. Returns undefined
 * if the source has a decimal point or an exponent.
 */
export function exactInteger(source: string, plain: boolean): number | bigint | undefined {
  return plain || /^-\d+$/.test(source) ? narrow(source) : undefined;
}

function fromAnySpelling(source: string): number | bigint | IntegerProblem {
  const match = NUMBER.exec(source);
  if (!match) return 'not_an_integer';
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = trimZeros(whole + fraction);
  if (digits.significant === '') return 0;
  // value = significant * 10^power. A power that a double cannot hold exactly is far out of range in any case.
  const power = Number(exponent) - fraction.length + digits.trailing;
  if (power < 0) return 'not_an_integer';
  if (sign === '-') return 'negative';
  // Checked before the zeros are appended, because the power can be of any size.
  if (digits.significant.length + power > MAX_UINT64_DIGITS.length) return 'too_large';
  return exactUint64(digits.significant + '0'.repeat(power), true);
}

/**
 * Returns the digits without leading and trailing zeros, and the number of trailing zeros. Without a regular
 * expression: one for trailing zeros takes quadratic time.
 */
function trimZeros(digits: string): { significant: string; trailing: number } {
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  return { significant: digits.slice(start, end), trailing: digits.length - end };
}

function narrow(integer: string): number | bigint {
  const double = Number(integer);
  return Number.isSafeInteger(double) ? double : BigInt(integer);
}
