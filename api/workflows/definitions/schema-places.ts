import type { JsonValue } from '#api/executions/json-value.ts';
import type { Reference } from './references-of.ts';
import { isRecord, type JsonRecord, type Path, tasksOf } from './walk.ts';

/** A schema of a definition, and its path. */
export interface SchemaPlace {
  readonly path: Path;
  readonly schema: JsonRecord;
}

/** Returns the schemas of the workflow, of its tasks, and of iterations over events or messages. */
export function schemaPlaces(definition: JsonRecord): SchemaPlace[] {
  const found = placesBelow(definition, []);
  for (const { task, path } of tasksOf(definition)) {
    found.push(...placesBelow(task, path));
    if (isRecord(task.foreach)) found.push(...placesBelow(task.foreach, [...path, 'foreach']));
    const iterator = memberOf(memberOf(task.with, 'subscription'), 'foreach');
    if (isRecord(iterator)) found.push(...placesBelow(iterator, [...path, 'with', 'subscription', 'foreach']));
  }
  return found;
}

function placesBelow(value: JsonRecord, path: Path): SchemaPlace[] {
  return (['input', 'output', 'export'] as const).flatMap((place) => {
    const schema = memberOf(value[place], 'schema');
    return isRecord(schema) ? [{ path: [...path, place, 'schema'], schema }] : [];
  });
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isRecord(value) ? value[key] : undefined;
}

/** Returns a copy of the definition with schemas replaced by `change`. */
export function withSchemas(
  definition: JsonRecord,
  change: (place: SchemaPlace) => JsonRecord | undefined,
): JsonRecord {
  const copy = structuredClone(definition);
  for (const place of schemaPlaces(copy)) {
    const changed = change(place);
    const key = place.path.at(-1);
    let holder: unknown = copy;
    for (const step of place.path.slice(0, -1)) holder = (holder as Record<string | number, unknown>)[step];
    if (changed !== undefined && key !== undefined) (holder as Record<string | number, unknown>)[key] = changed;
  }
  return copy;
}

/** Returns the external schemas of a definition, by address. */
export function schemaResources(definition: JsonRecord): Reference[] {
  return schemaPlaces(definition).flatMap(({ path, schema: { resource } }) => {
    if (!isRecord(resource)) return [];
    const { endpoint } = resource;
    const address = isRecord(endpoint) ? endpoint.uri : endpoint;
    return [{ name: typeof address === 'string' ? address : '', path: [...path, 'resource'] }];
  });
}
