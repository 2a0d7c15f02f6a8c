/** Matches strings that JSON and PostgreSQL quote in the same way: only quotes and backslashes are escaped. */
const QUOTED_ALIKE = /^[\x20-\ud7ff\ue000-\uffff]*$/;

/**
 * Returns the values as the text of a PostgreSQL array, such as `{"a",NULL}`, to send as one parameter. The PostgreSQL
 * client builds the same text with regular expressions; `JSON.stringify` quotes long strings many times faster.
 */
export function arrayText(values: readonly (string | number | boolean | null)[]): string {
  let text = '{';
  for (const value of values) {
    if (text.length > 1) text += ',';
    text += typeof value === 'string' ? quote(value) : value === null ? 'NULL' : String(value);
  }
  return `${text}}`;
}

function quote(value: string): string {
  const quoted = JSON.stringify(value);
  if (quoted.length === value.length + 2 || QUOTED_ALIKE.test(value)) return quoted;
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
