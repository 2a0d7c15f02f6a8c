import { z } from 'zod';

/** Values in one parameter at most. */
const MAX_VALUES = 200;
const MAX_CHARS = 8_192;

/**
 * The values of a text: they are joined by commas, and `\,` is a comma within a value. A text with a comma is also a value as it stands, because
 * clients from before there were several values send names so.
 */
export function valuesOf(text: string): readonly string[] {
  if (!text.includes(',')) return [text];
  const parts = text.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ','));
  return [...new Set([...parts.filter((part) => part !== ''), text])];
}

/** A name, or several joined by commas. */
export function queryNames() {
  return (
    z
      .string()
      .min(1)
      .max(MAX_CHARS)
      .transform(valuesOf)
      // One more: the text as it stands.
      .refine(
        (values) => values.length <= MAX_VALUES + (values.length > 1 ? 1 : 0),
        `at most ${MAX_VALUES} values, joined by commas, are expected`,
      )
  );
}

/** A word, or several joined by commas. `pattern`: of one word, without anchors. */
export function queryWords(pattern: string, expected: string) {
  return z
    .string()
    .max(MAX_CHARS)
    .regex(new RegExp(`^(?:${pattern})(?:,(?:${pattern}))*$`), `${expected}, joined by commas, are expected`)
    .transform((text) => [...new Set(text.split(','))]);
}

/** One of a few words, or several joined by commas. */
export function queryChoices<T extends string>(choices: readonly T[]) {
  return queryWords(choices.join('|'), `one or more of ${choices.join(', ')}`).transform((words) => words as T[]);
}
