import { type Document, operationsOf, type Schema } from './document.ts';

const HIDDEN_TAGS = new Set(['administration', 'dashboard', 'outputs', 'console', 'views']);
const HIDDEN_OPERATIONS = new Set(['getFullDescription', 'getMetrics', 'getProcessMetrics', 'startDemo', 'deleteDemo']);

/**
 * Returns the description of the routes for API clients: routes for keys, for ordinary accounts, and without
 * authentication. Administration is omitted.
 */
export function publicDescription(document: Document): Document {
  const paths: Document['paths'] = {};
  for (const { path, method, operation } of operationsOf(document)) {
    const { operationId = '', tags = [] } = operation;
    if (tags.some((tag) => HIDDEN_TAGS.has(tag)) || HIDDEN_OPERATIONS.has(operationId) || path.startsWith('/auth/'))
      continue;
    paths[path] = { ...paths[path], [method]: operation };
  }
  const used = new Set(operationsOf({ paths }).flatMap(({ operation }) => operation.tags ?? []));
  const { adminKey: _, ...securitySchemes } = document.components.securitySchemes;
  return {
    ...document,
    paths,
    tags: (document.tags ?? []).filter(({ name }) => used.has(name)),
    components: { securitySchemes, schemas: referredSchemas(paths, document.components.schemas ?? {}) },
  };
}

/** Keeps the schemas that the paths reference, directly or through another schema. */
function referredSchemas(paths: Document['paths'], schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const found = new Set<string>();
  const find = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      find(schemas[name]);
    }
  };
  find(paths);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}
