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
  return z
    .string()
    .min(1)
    .max(MAX_CHARS)
    .transform(valuesOf)
    .refine((values) => values.length <= MAX_VALUES, `at most ${MAX_VALUES} values, joined by commas, are expected`);
}

/** One of a few words, or several joined by commas. */
export function queryChoices<T extends string>(choices: readonly T[]) {
  return z
    .string()
    .regex(
      new RegExp(`^(?:${choices.join('|')})(?:,(?:${choices.join('|')}))*$`),
      `one or more of ${choices.join(', ')}, joined by commas, are expected`,
    )
    .transform((text) => [...new Set(text.split(','))] as T[]);
}

/** Words that `isKnown` knows, joined by commas. `unknown`: the message for one that it does not know. */
export function queryKnown({
  pattern,
  isKnown,
  unknown,
}: {
  /** Of one word, without anchors. */
  readonly pattern: string;
  readonly isKnown: (value: string) => boolean;
  readonly unknown: (value: string) => string;
}) {
  return z
    .string()
    .min(1)
    .max(MAX_CHARS)
    .regex(new RegExp(`^${pattern}(?:,${pattern})*$`), 'one value, or several joined by commas, are expected')
    .transform((text, context) => {
      const values = [...new Set(text.split(','))];
      const wrong = values.find((value) => !isKnown(value));
      if (wrong === undefined) return values;
      context.addIssue({ code: 'custom', message: unknown(wrong) });
      return z.NEVER;
    });
}
