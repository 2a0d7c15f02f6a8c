import { z } from 'zod';

/** Range of an integer in a query string. */
export interface IntegerRange {
  readonly min: number;
  readonly max: number;
}

/** An integer in a query string. A query holds text; the description has the type that clients use. */
export function queryInteger({ min, max }: IntegerRange) {
  return integerDescribedAs({ type: 'integer', minimum: min, maximum: max }, { min, max });
}

/** The same with a value for requests that leave it out. */
export function queryIntegerOr(value: number, { min, max }: IntegerRange) {
  return integerDescribedAs({ type: 'integer', minimum: min, maximum: max, default: value }, { min, max }).default(
    value,
  );
}

/** A boolean in a query string: `true` or `false`. */
export function queryFlag() {
  return flagDescribedAs({ type: 'boolean' });
}

/** The same with a value for requests that leave it out. */
export function queryFlagOr(value: boolean) {
  return flagDescribedAs({ type: 'boolean', default: value }).default(value);
}

function integerDescribedAs(describedAs: object, { min, max }: IntegerRange) {
  const error = `a whole number from ${min} to ${max} is expected`;
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .refine((number) => number >= min && number <= max, error)
    .meta({ describedAs });
}

function flagDescribedAs(describedAs: object) {
  return z
    .enum(['true', 'false'], 'true or false is expected')
    .transform((text) => text === 'true')
    .meta({ describedAs });
}
