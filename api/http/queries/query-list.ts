import { z } from 'zod';

/** Maximum number of values in one parameter. */
const MAX_VALUES = 200;
const MAX_CHARS = 8_192;

/**
 * Splits a text into values at commas; `\,` is a comma within a value. A text with a comma is also a value itself,
 * because clients from before multiple values send such names unescaped.
 */
export function valuesOf(text: string): readonly string[] {
  if (!text.includes(',')) return [text];
  const parts = text.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ','));
  return [...new Set([...parts.filter((part) => part !== ''), text])];
}

/** Query string schema of one name, or several joined by commas. */
export function queryNames() {
  return (
    z
      .string()
      .min(1)
      .max(MAX_CHARS)
      .transform(valuesOf)
      // One more for the unsplit text.
      .refine(
        (values) => values.length <= MAX_VALUES + (values.length > 1 ? 1 : 0),
        `must have at most ${MAX_VALUES} values, joined by commas`,
      )
  );
}

/** Query string schema of one word, or several joined by commas. `pattern` matches one word, without anchors. */
export function queryWords(pattern: string, expected: string) {
  return z
    .string()
    .max(MAX_CHARS)
    .regex(new RegExp(`^(?:${pattern})(?:,(?:${pattern}))*$`), `must be ${expected}, joined by commas`)
    .transform((text) => [...new Set(text.split(','))]);
}

/** Query string schema of one of the given words, or several joined by commas. */
export function queryChoices<T extends string>(choices: readonly T[]) {
  return queryWords(choices.join('|'), `one or more of ${choices.join(', ')}`).transform((words) => words as T[]);
}
