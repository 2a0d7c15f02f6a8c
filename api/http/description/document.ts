/** A schema of OpenAPI 3.0, limited to the keywords that this folder reads or writes. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  nullable?: boolean;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  description?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  not?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  /** Key of zod metadata: a schema that describes a value better than its parser does. Removed from the finished document. */
  describedAs?: Schema;
  /** Key of zod metadata: the name under `components.schemas`. Removed from the finished document. */
  schemaName?: string;
}

export type Content = Record<string, { schema?: Schema }>;

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  schema: Schema;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Content; required?: boolean };
  responses: Record<string, { description?: string; content?: Content }>;
  /** Scope that a key needs, or role that a session needs. */
  'x-required-access'?: string;
}

export interface Tag {
  readonly name: string;
  readonly description: string;
}

export interface Document {
  openapi: string;
  info: object;
  servers?: object[];
  tags?: readonly Tag[];
  components: { schemas?: Record<string, Schema>; securitySchemes: Record<string, object> };
  paths: Record<string, Record<string, Operation>>;
}

/** Returns the operations of a document with method and path. */
export function operationsOf({ paths }: Pick<Document, 'paths'>) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Applies `change` to the direct subschemas of a schema. It also receives the name of the property or keyword of each. */
export function mapChildren(schema: Schema, change: (child: Schema, name: string) => Schema): Schema {
  const { properties, items, additionalProperties, not, allOf, anyOf, oneOf } = schema;
  const list = (members: Schema[], name: string) => members.map((member, at) => change(member, `${name}${at + 1}`));
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, change(child, name)])),
    }),
    ...(items && { items: change(items, 'item') }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: change(additionalProperties, 'value') }),
    ...(not && { not: change(not, 'not') }),
    ...(allOf && { allOf: list(allOf, 'part') }),
    ...(anyOf && { anyOf: list(anyOf, 'option') }),
    ...(oneOf && { oneOf: list(oneOf, 'option') }),
  };
}
