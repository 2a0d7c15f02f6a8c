/** What spreadsheets take for the start of a formula (OWASP, "CSV Injection"), full-width forms included, also behind blanks that some of them skip. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

/**
 * A text cell. One that a spreadsheet could run, or that starts with an apostrophe itself, gets an apostrophe in front: spreadsheets
 * then show it as text, and a program undoes it without doubt by dropping one leading apostrophe. NUL, which ends or breaks a line in
 * many readers, becomes the visible U+2400. Quoted as RFC 4180 says when it has to be.
 */
export function csvText(value: string | null | undefined): string {
  if (value === null || value === undefined || value === '') return '';
  const clean = value.includes('\0') ? value.replaceAll('\0', '\u2400') : value;
  const safe = clean.startsWith("'") || FORMULA.test(clean) ? `'${clean}` : clean;
  return /[",\r\n]|^\s|\s$/.test(safe) || safe !== clean ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A number cell: plain digits of a non-negative integer, never quoted, never rounded. */
export function csvNumber(value: number | bigint | null | undefined): string {
  return value === null || value === undefined ? '' : value.toString();
}
