/** A part of the API server's OpenAPI document. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly items?: OpenApiSchema;
  readonly 'x-kubernetes-group-version-kind'?: readonly Kind[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Schemas of objects by `apiVersion/kind`. They refer to `definitions`. */
export interface ObjectSchemas {
  readonly objects: Readonly<Record<string, JsonSchema>>;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const INT_OR_STRING = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
const NUMBER_OR_STRING: JsonSchema = { type: ['string', 'number'] };

/**
 * Returns JSON Schemas of the kinds `wanted` (`apps/v1/Deployment`) from the definitions of an API server. The schemas
 * reject unknown fields, which the API server would drop. Throws for a kind without a definition.
 */
export function strictSchemas(
  definitions: Readonly<Record<string, OpenApiSchema>>,
  wanted: readonly string[],
): ObjectSchemas {
  const used = new Map<string, JsonSchema>();
  const use = (name: string): JsonSchema => {
    if (!used.has(name)) {
      used.set(name, {});
      used.set(name, convert(name, definitions[name] ?? {}, use));
    }
    return { $ref: `#/definitions/${name}` };
  };
  const objects = wanted.map((kind): [string, JsonSchema] => {
    const found = Object.entries(definitions).find(([, definition]) => kindsOf(definition).includes(kind));
    if (found === undefined) throw new Error(`the API server has no definition of ${kind}`);
    const name = found[0];
    return [kind, use(name)];
  });
  return { objects: Object.fromEntries(objects), definitions: Object.fromEntries([...used].sort(byName)) };
}

function kindsOf({ 'x-kubernetes-group-version-kind': kinds = [] }: OpenApiSchema): string[] {
  return kinds.map(({ group, version, kind }) => [group, version, kind].filter((part) => part !== '').join('/'));
}

function convert(name: string, schema: OpenApiSchema, use: (name: string) => JsonSchema): JsonSchema {
  if (name === QUANTITY || name === INT_OR_STRING || schema.format === 'int-or-string') return NUMBER_OR_STRING;
  const { $ref, type, required, properties, additionalProperties, items } = schema;
  if ($ref !== undefined) return use($ref.replace('#/definitions/', ''));
  const of = (one: OpenApiSchema) => convert('', one, use);
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return {
    ...(type === undefined ? {} : { type }),
    ...(schema.enum === undefined ? {} : { enum: schema.enum }),
    ...(required === undefined ? {} : { required }),
    ...(items === undefined ? {} : { items: of(items) }),
    ...(properties === undefined ? {} : { properties: mapped(properties, of), additionalProperties: isOpen }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: of(additionalProperties) } : {}),
  };
}

function mapped<A, B>(record: Readonly<Record<string, A>>, of: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, of(value)]));
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
