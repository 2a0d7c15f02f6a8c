import { z } from 'zod';

/** Range of an integer in a query string. */
export interface IntegerRange {
  readonly min: number;
  readonly max: number;
}

/** Query string schema of an integer. The value is text; the description has the type that clients use. */
export function queryInteger({ min, max }: IntegerRange) {
  return integerDescribedAs({ type: 'integer', minimum: min, maximum: max }, { min, max });
}

/** Query string schema of an integer with a default. */
export function queryIntegerOr(value: number, { min, max }: IntegerRange) {
  return integerDescribedAs({ type: 'integer', minimum: min, maximum: max, default: value }, { min, max }).default(
    value,
  );
}

/** Query string schema of a boolean: `true` or `false`. */
export function queryFlag() {
  return flagDescribedAs({ type: 'boolean' });
}

/** Query string schema of a boolean with a default. */
export function queryFlagOr(value: boolean) {
  return flagDescribedAs({ type: 'boolean', default: value }).default(value);
}

function integerDescribedAs(describedAs: object, { min, max }: IntegerRange) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .refine((number) => number >= min && number <= max, error)
    .meta({ describedAs });
}

function flagDescribedAs(describedAs: object) {
  return z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .meta({ describedAs });
}
