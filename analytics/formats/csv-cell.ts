/**
 * The start of a formula in spreadsheets (OWASP, "CSV Injection"). Includes full-width forms, and leading blanks, which
 * some spreadsheets skip.
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

/**
 * Returns a text cell, quoted if RFC 4180 requires it. A value that a spreadsheet could evaluate, or that starts with
 * an apostrophe, gets an apostrophe in front. Spreadsheets then show it as text, and a program restores it by removing
 * one leading apostrophe. NUL, which ends or breaks a line in many readers, becomes the visible U+2400.
 */
export function csvText(value: string | null | undefined): string {
  if (value === null || value === undefined || value === '') return '';
  const clean = value.includes('\0') ? value.replaceAll('\0', '\u2400') : value;
  const safe = clean.startsWith("'") || FORMULA.test(clean) ? `'${clean}` : clean;
  return /[",\r\n]|^\s|\s$/.test(safe) || safe !== clean ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a number cell: the digits of a non-negative integer, never quoted, never rounded. */
export function csvNumber(value: number | bigint | null | undefined): string {
  return value === null || value === undefined ? '' : value.toString();
}
