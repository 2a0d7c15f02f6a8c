import { EVENT_VERSIONS } from './registry.ts';

/**
 * Returns the event schema converted to OpenAPI 3.0. OpenAPI 3.0 has no `const`, no list of types and no `$id`. Its
 * `discriminator` works only with named schemas. An enclosed event is described as a plain object, because the
 * description cannot refer to a part of itself.
 */
export function describedEvent(): Record<string, unknown> {
  const schemas = EVENT_VERSIONS.filter((version) => version.described).map(({ schema }) => described(schema));
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? only : { oneOf: schemas };
}

function described(schema: object): Record<string, unknown> {
  if ('$ref' in schema) return { type: 'object', description: 'An event like the one it is part of' };
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (name === '$schema' || name === '$id' || name === 'discriminator') continue;
    if (name === 'const') out.enum = [value];
    else if (name === 'type' && Array.isArray(value)) Object.assign(out, typeOf(value));
    else out[name] = describedValue(value);
  }
  return out;
}

function describedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describedValue);
  return typeof value === 'object' && value !== null ? described(value) : value;
}

/** Converts a list with one type and `null` to `type` and `nullable`. */
function typeOf(types: readonly unknown[]): Record<string, unknown> {
  const [type, ...others] = types.filter((one) => one !== 'null');
  if (others.length > 0) throw new TypeError('OpenAPI 3.0 has one type in addition to null');
  return { type, nullable: types.includes('null') };
}
