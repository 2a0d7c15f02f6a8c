import type { JsonValue } from '#api/executions/json-value.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import type { Template } from './case.ts';

export type Schema = JsonValue;
type Make = (random: SeededRandom) => { readonly schema: Schema; readonly input?: JsonValue };

export const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
export const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

export function template(name: string, make: Make, slow = false): Template {
  return {
    name: `schema/${name}`,
    slow,
    make: (random) => {
      const { schema, input = null } = make(random);
      return { text: JSON.stringify(schema), input };
    },
  };
}

export function wrapped(levels: number, wrap: (inner: Schema) => Schema): { [name: string]: JsonValue } {
  let schema: Schema = { type: 'number' };
  for (let level = 0; level < levels; level += 1) schema = wrap(schema);
  return schema as { [name: string]: JsonValue };
}

/**
 * Returns a schema in which each definition refers to the next one twice. A validator without a cache makes 2^levels
 * checks.
 */
export function doubledReferences(levels: number, keyword: string): Schema {
  const definitions = Array.from({ length: levels }, (_, at): [string, Schema] => {
    const $ref = `#/$defs/d${at + 1}`;
    return [`d${at}`, { [keyword]: [{ $ref }, { $ref }] }];
  });
  return { $defs: { ...Object.fromEntries(definitions), [`d${levels}`]: { type: 'number' } }, $ref: '#/$defs/d0' };
}

export function doubledProperties(levels: number): Schema {
  const definitions = Array.from({ length: levels }, (_, at): [string, Schema] => {
    const $ref = `#/$defs/d${at + 1}`;
    return [`d${at}`, { properties: { next: { allOf: [{ $ref }, { $ref }] } } }];
  });
  return { $defs: { ...Object.fromEntries(definitions), [`d${levels}`]: true }, $ref: '#/$defs/d0' };
}

export function chain(length: number): JsonValue {
  let value: JsonValue = {};
  for (let at = 0; at < length; at += 1) value = { next: value };
  return value;
}

export function conditional(inner: Schema): Schema {
  return Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, inner]));
}
