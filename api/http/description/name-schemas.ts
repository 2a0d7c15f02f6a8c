import { type Content, type Document, mapChildren, operationsOf, type Schema } from './document.ts';

type Rewrite = (schema: Schema, name: string) => Schema;

/**
 * Moves schemas to `components.schemas`. Bodies get the name of their operation, and schemas with a `schemaName` get
 * that name. Any other object that occurs twice gets the name of its first occurrence. Nullable objects stay inline,
 * because a reference cannot be nullable.
 */
export function nameSchemas(document: Document): Document {
  const uses = countUses(document);
  const names = new Map<string, string>();
  const schemas: Record<string, Schema> = {};

  const rewrite: Rewrite = (schema, name) => {
    const { schemaName, ...rest } = schema;
    const key = keyOf(schema);
    const own = schemaName ?? name;
    const shared = (uses.get(key) ?? 0) > 1;
    if (!isNamed(schema, shared)) return mapChildren(rest, (child, part) => rewrite(child, own + capitalized(part)));
    return referenceTo(register(schema, key, own, shared), shared ? rest.description : undefined);
  };

  function register({ schemaName: _, ...schema }: Schema, key: string, wanted: string, shared: boolean): string {
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = freeName(wanted, schemas);
    names.set(key, name);
    schemas[name] = {}; // reserves the name and its position in the order
    const { description, ...rest } = mapChildren(schema, (child, part) => rewrite(child, name + capitalized(part)));
    schemas[name] = { ...rest, ...(description && !shared && { description }) };
    return name;
  }

  const paths = mapBodies(document, (schema, name) =>
    isObject(schema)
      ? referenceTo(register(schema, keyOf(schema), schema.schemaName ?? name, true))
      : rewrite(schema, name),
  );
  return { ...document, paths, components: { ...document.components, schemas: sorted(schemas) } };
}

function isNamed(schema: Schema, shared: boolean): boolean {
  return isObject(schema) && (shared || schema.schemaName !== undefined);
}

function isObject({ type, properties, nullable }: Schema): boolean {
  return type === 'object' && properties !== undefined && Object.keys(properties).length > 0 && nullable !== true;
}

/** OpenAPI 3.0 ignores a description next to `$ref`. */
function referenceTo(name: string, description?: string): Schema {
  const reference = { $ref: `#/components/schemas/${name}` };
  return description === undefined ? reference : { description, allOf: [reference] };
}

/** Returns the same text for schemas that differ only in their own description. */
function keyOf({ description: _, example: __, ...schema }: Schema): string {
  return JSON.stringify(schema);
}

function countUses(document: Document): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  const count = (schema: Schema): Schema => {
    if (isObject(schema)) uses.set(keyOf(schema), (uses.get(keyOf(schema)) ?? 0) + 1);
    return mapChildren(schema, count);
  };
  mapBodies(document, count);
  return uses;
}

/** Applies `change` to the body schema of every request and response. It also receives a name for the schema. */
function mapBodies(document: Document, change: Rewrite): Document['paths'] {
  const paths: Document['paths'] = {};
  for (const { path, method, operation } of operationsOf(document)) {
    const { requestBody, responses, operationId = '' } = operation;
    const name = capitalized(operationId);
    paths[path] = {
      ...paths[path],
      [method]: {
        ...operation,
        ...(requestBody && {
          requestBody: { ...requestBody, content: mapContent(requestBody.content, `${name}Request`, change) },
        }),
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [
            status,
            {
              ...response,
              ...(response.content && { content: mapContent(response.content, `${name}Response`, change) }),
            },
          ]),
        ),
      },
    };
  }
  return paths;
}

function mapContent(content: Content, name: string, change: Rewrite): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      media.schema === undefined ? media : { ...media, schema: change(media.schema, nameOf(type, name)) },
    ]),
  );
}

/** A route that accepts JSON or a form has two bodies. */
function nameOf(mediaType: string, name: string): string {
  return mediaType === 'multipart/form-data' ? name.replace(/Request$/, 'Form') : name;
}

function freeName(wanted: string, taken: Readonly<Record<string, unknown>>): string {
  let name = wanted;
  for (let number = 2; name in taken; number += 1) name = `${wanted}${number}`;
  return name;
}

function capitalized(text: string): string {
  return text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
