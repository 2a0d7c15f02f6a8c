import { mapChildren, type Schema } from './document.ts';

const MAX_INT32 = 2 ** 31 - 1;

/**
 * Converts a schema generated from zod into one that client generators understand:
 * - Nullable enums list `null`, and `nullable` has a `type`.
 * - Values of query strings have the type that clients use.
 * - Large integers are `int64`.
 */
export function normalizeSchema(schema: Schema): Schema {
  const { describedAs, ...generated } = schema;
  const { description, example } = generated;
  const described: Schema = describedAs
    ? { ...describedAs, ...(description && { description }), ...(example !== undefined && { example }) }
    : generated;
  return mapChildren(withNull(withoutNoise(described)), normalizeSchema);
}

/** OpenAPI 3.0.3 accepts `null` only if `nullable` is next to `type` and any enum lists `null`. */
function withNull(schema: Schema): Schema {
  if (schema.nullable !== true) return schema;
  if (schema.enum !== undefined)
    return schema.enum.includes(null) ? schema : { ...schema, enum: [...schema.enum, null] };
  if (schema.type !== undefined) return schema;
  const { nullable: _, ...rest } = schema;
  const asNullable = (member: Schema) => ({ ...member, nullable: true });
  return {
    ...rest,
    ...(rest.anyOf && { anyOf: rest.anyOf.map(asNullable) }),
    ...(rest.oneOf && { oneOf: rest.oneOf.map(asNullable) }),
  };
}

/** Removes patterns that repeat a format, and the limits of JavaScript integers. */
function withoutNoise(schema: Schema): Schema {
  const { pattern, minimum, maximum, ...rest } = schema;
  const large = rest.type === 'integer' && (maximum === undefined || maximum > MAX_INT32);
  return {
    ...rest,
    ...(pattern !== undefined && rest.format === undefined && { pattern }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(large && { format: 'int64' }),
  };
}
