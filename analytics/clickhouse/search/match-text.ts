import type { SearchValue } from '../../search/syntax-tree.ts';
import { jsonPattern, plainPart } from './json-pattern.ts';
import type { Place } from './place.ts';

const ASCII = /^[\x20-\x7e]*$/;
/** Maximum number of words looked up in the index. These leave few records, in which the full text is then searched. */
const MAX_WORDS = 60;

/** Returns the LIKE pattern of a value with wildcards, or undefined if it has none. */
export function wildcardPattern({ text, quoted }: SearchValue): string | undefined {
  if (quoted || !/[*?]/.test(text)) return undefined;
  return text
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');
}

/** Returns SQL that is true if the column contains the text, case-insensitively. */
export function textContains(column: string, value: SearchValue, place: Place): string {
  const pattern = wildcardPattern(value);
  if (pattern !== undefined) return `${column} ILIKE ${place(`%${pattern}%`, 'String')}`;
  // Non-ASCII letters need a slower search.
  const position = ASCII.test(value.text) ? 'positionCaseInsensitive' : 'positionCaseInsensitiveUTF8';
  return `${position}(${column}, ${place(value.text, 'String')}) > 0`;
}

/** The same for a JSON column, with any spelling of the text. */
function jsonContains(column: string, value: SearchValue, place: Place): string {
  const pattern = jsonPattern(value);
  if (pattern === undefined) return textContains(column, value, place);
  const matches = `match(${column}, ${place(pattern, 'String')})`;
  const part = plainPart(value);
  return part === ''
    ? matches
    : `(${textContains(column, { ...value, text: part, quoted: true }, place)} AND ${matches})`;
}

/**
 * Returns SQL that is true if the JSON in the column contains the words of the text in sequence. Words are runs of
 * letters and digits, as the index defines them, and records without these words are not read. Parts of words (with a
 * wildcard) and letters that the index cannot case-fold are searched in every record. The index also returns some
 * records without the words. Tokenising a text costs five times as much as a substring search, so the substring search
 * runs first.
 */
export function textHasWords(column: string, value: SearchValue, place: Place): string {
  const words = value.text.toLowerCase().match(/[a-z0-9]+/g);
  const contains = jsonContains(column, value, place);
  if (words === null || !ASCII.test(value.text) || wildcardPattern(value) !== undefined) return contains;
  const all = place([...new Set(words)].slice(0, MAX_WORDS), 'Array(String)');
  return `(${contains} AND hasAll(tokens(lower(${column}), 'splitByNonAlpha'), ${all}))`;
}
