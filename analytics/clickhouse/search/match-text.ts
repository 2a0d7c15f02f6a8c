import type { SearchValue } from '../../search/syntax-tree.ts';
import { jsonPattern, plainPart } from './json-pattern.ts';
import type { Place } from './place.ts';

const ASCII = /^[\x20-\x7e]*$/;
/** Enough to find few records by; the text as it stands is looked for in what they leave. */
const MAX_WORDS = 60;

/** The LIKE pattern of a value with wildcards; undefined when it has none. */
export function wildcardPattern({ text, quoted }: SearchValue): string | undefined {
  if (quoted || !/[*?]/.test(text)) return undefined;
  return text
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');
}

/** SQL that holds when the column has the text somewhere, in upper or lower case. */
export function textContains(column: string, value: SearchValue, place: Place): string {
  const pattern = wildcardPattern(value);
  if (pattern !== undefined) return `${column} ILIKE ${place(`%${pattern}%`, 'String')}`;
  // Letters of other alphabets cost a slower search.
  const position = ASCII.test(value.text) ? 'positionCaseInsensitive' : 'positionCaseInsensitiveUTF8';
  return `${position}(${column}, ${place(value.text, 'String')}) > 0`;
}

/** The same of a column that is JSON, however its writer spelled the text. */
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
 * SQL that holds when the JSON in the column has the words of the text, as they stand there. Words are what the index knows (runs of letters and digits), so
 * records without them are not read; a part of a word, asked for by a wildcard, and letters it does not know in upper and lower case are looked for in
 * every record. The index lets some records through that have none of the words, and taking a text apart costs five times as much as looking for the
 * words in it as they stand: that comes first.
 */
export function textHasWords(column: string, value: SearchValue, place: Place): string {
  const words = value.text.toLowerCase().match(/[a-z0-9]+/g);
  const contains = jsonContains(column, value, place);
  if (words === null || !ASCII.test(value.text) || wildcardPattern(value) !== undefined) return contains;
  const all = place([...new Set(words)].slice(0, MAX_WORDS), 'Array(String)');
  return `(${contains} AND hasAll(tokens(lower(${column}), 'splitByNonAlpha'), ${all}))`;
}
