/** Undefined until the language is known: the locale of the runtime. */
let current: string | undefined;
/** Making a format takes longer than a hundred uses. */
let plain: Intl.NumberFormat | undefined;

/** Sets the locale of all numbers and times. Formats are created when modules are loaded, so it comes first. */
export function setLocale(locale: string): void {
  current = locale;
  plain = undefined;
}

/** Locale for `Intl`. */
export function locale(): string | undefined {
  return current;
}

/** A number with the separators of the language: `1,200.5`, `1.200,5`. */
export function numberText(number: number | bigint): string {
  // The same in both languages, and most numbers of a page: making the format takes longer than drawing a list.
  if (Number.isInteger(number) && number >= 0 && number < 1_000) return String(number);
  plain ??= new Intl.NumberFormat(current);
  return plain.format(number);
}

/** A number with so many significant digits at most: `0.00403`, `1,210`. */
export function significantText(number: number, digits: number): string {
  return number.toLocaleString(current, {
    maximumSignificantDigits: Math.max(digits, Math.floor(Math.abs(number)).toString().length),
  });
}

/** A number with exactly so many decimals. */
export function decimalText(number: number, decimals: number): string {
  return number.toLocaleString(current, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
