import type { SearchValue } from '../../search/syntax-tree.ts';
import type { Place } from './compare-field.ts';

const ASCII = /^[\x20-\x7e]*$/;

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
