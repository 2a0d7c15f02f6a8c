/** Undefined until the language is known: the runtime's locale is used. */
let current: string | undefined;
/** Cached, because creating a format takes longer than a hundred uses. */
let plain: Intl.NumberFormat | undefined;

/**
 * Sets the locale of all numbers and times. Must be called first, because formats are created when modules are loaded.
 */
export function setLocale(locale: string): void {
  current = locale;
  plain = undefined;
}

/** Returns the locale for `Intl`. */
export function locale(): string | undefined {
  return current;
}

/** Formats a number with the separators of the language: `1,200.5`, `1.200,5`. */
export function numberText(number: number | bigint): string {
  // Small integers look the same in both languages, and are most numbers of a page. Creating the format takes longer
  // than rendering a list.
  if (Number.isInteger(number) && number >= 0 && number < 1_000) return String(number);
  plain ??= new Intl.NumberFormat(current);
  return plain.format(number);
}

/** Formats a number with at most `digits` significant digits: `0.00403`, `1,210`. */
export function significantText(number: number, digits: number): string {
  return number.toLocaleString(current, {
    maximumSignificantDigits: Math.max(digits, Math.floor(Math.abs(number)).toString().length),
  });
}

/** Formats a share of 1 as a percentage in the style of the language: `1.9%`, `1,9 %`. */
export function shareText(share: number, maxDecimals = 0): string {
  return share.toLocaleString(current, { style: 'percent', maximumFractionDigits: maxDecimals, useGrouping: false });
}

/** Formats a number with exactly `decimals` decimals. */
export function decimalText(number: number, decimals: number): string {
  return number.toLocaleString(current, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
