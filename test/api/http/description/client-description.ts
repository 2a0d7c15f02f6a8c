import { type Document, mapChildren, operationsOf, type Schema } from '#api/http/description/document.ts';

/** The resources for which the clients have operations. */
const TAGS = new Set(['detection service', 'cases', 'workflows', 'agents', 'detectors', 'outputs']);

/** Returns the part of the full description from which the clients are generated. */
export function clientDescription(document: Document): Document {
  const paths: Document['paths'] = {};
  for (const { path, method, operation } of operationsOf(document))
    if (operation.tags?.some((tag) => TAGS.has(tag))) paths[path] = { ...paths[path], [method]: operation };
  const schemas: Record<string, Schema> = {};
  const find = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = document.components.schemas?.[name];
      if (schema === undefined || name in schemas) continue;
      schemas[name] = withOpenKeys(schema);
      find(schema);
    }
  };
  find(paths);
  return { ...document, paths, components: { ...document.components, schemas } };
}

/** Types of some languages cannot give additional keys another type than the named keys. */
function withOpenKeys(schema: Schema): Schema {
  const { properties, additionalProperties } = schema;
  const open = properties !== undefined && typeof additionalProperties === 'object';
  return mapChildren(open ? { ...schema, additionalProperties: true } : schema, withOpenKeys);
}
