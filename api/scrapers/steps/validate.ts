import { z } from 'zod';

/**
 * Step 3. A scraper declares its query as a strict object of these parameters, and the server validates it before the
 * handler runs. Each parameter is a single string. A repeated parameter is parsed as a list and an operator as a name
 * with brackets; both are rejected.
 */
export function strictQuery<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape);
}

interface Described {
  readonly description: string;
  readonly example: string | number;
}

/** A name that becomes part of an upstream URL. The pattern permits only characters that need no escaping. */
export function nameParameter({
  pattern,
  max,
  expected,
  description,
  example,
}: Described & { readonly pattern: RegExp; readonly max: number; readonly expected: string }) {
  return z.string().max(max).regex(pattern, `must be ${expected}`).describe(description).meta({ example });
}

/** An integer, with a default. It stays a string in canonical form, so that equal numbers have the same cache key. */
export function numberParameter({
  min,
  max,
  fallback,
  description,
  example,
}: Described & { readonly min: number; readonly max: number; readonly fallback: number }) {
  const inRange = (text: string) => /^(?:0|[1-9]\d{0,8})$/.test(text) && Number(text) >= min && Number(text) <= max;
  return z
    .string()
    .refine(inRange, `must be a whole number from ${min} to ${max}`)
    .default(String(fallback))
    .describe(description)
    .meta({ type: 'integer', minimum: min, maximum: max, default: fallback, example });
}

/** One of the given words, with a default. */
export function choiceParameter<const Words extends readonly [string, ...string[]]>({
  words,
  fallback,
  description,
  example,
}: Described & { readonly words: Words; readonly fallback: NoInfer<Words[number]> }) {
  return z
    .enum(words)
    .default(fallback as z.core.util.NoUndefined<Words[number]>)
    .describe(description)
    .meta({ example });
}
