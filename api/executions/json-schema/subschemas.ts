import type { JsonValue } from '../json-value.ts';

export type Schema = { readonly [keyword: string]: JsonValue };

/** A subschema of a schema. `samePlace`: it applies to the same value, not to a part of it. */
export interface Subschema {
  readonly value: JsonValue;
  readonly path: readonly (string | number)[];
  readonly samePlace: boolean;
}

/** Keywords by the form of their contents, for all drafts from 07 on. */
const ONE = new Set([
  'not',
  'if',
  'then',
  'else',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'contentSchema',
]);
const LIST = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions']);
const SAME_PLACE = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/** Yields the direct subschemas of a schema. `true` and `false` have no subschemas. */
export function* subschemasOf(schema: Schema): Generator<Subschema> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value !== 'object' || value === null) continue;
    const samePlace = SAME_PLACE.has(keyword);
    if (Array.isArray(value)) {
      if (LIST.has(keyword))
        for (const [index, inner] of (value as readonly JsonValue[]).entries())
          yield { value: inner, path: [keyword, index], samePlace };
    } else if (NAMED.has(keyword)) {
      for (const [name, inner] of Object.entries(value)) yield { value: inner, path: [keyword, name], samePlace };
    } else if (ONE.has(keyword)) yield { value: value as JsonValue, path: [keyword], samePlace };
  }
}

export const isSchema = (value: JsonValue | undefined): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
