import { compileSchema } from '#api/executions/json-schema/compile-schema.ts';
import { schemaProblem } from '#api/executions/json-schema/schema-limits.ts';
import { stepsOfSimple } from '#api/executions/json-schema/simple-schema.ts';
import { type DefinitionIssue, problem } from './issue.ts';
import { schemaPlaces } from './schema-places.ts';
import { isRecord, type JsonRecord } from './walk.ts';

/** Maximum number of schemas of a definition. Compiling one that is not simple takes about 10 ms. */
const MAX_SCHEMAS = 300;

/**
 * Validates the JSON Schemas of a definition: limits, references and compilation. Runs in the thread of the checker,
 * which has a time limit.
 */
export function checkSchemas(definition: JsonRecord): DefinitionIssue[] {
  const found = schemaPlaces(definition);
  if (found.length > MAX_SCHEMAS)
    return [problem([], `a definition has at most ${MAX_SCHEMAS} schemas, this one ${found.length}`)];
  return found.flatMap(({ path: place, schema: { document } }) => {
    if (document === undefined) return [];
    const path = [...place, 'document'];
    if (typeof document === 'boolean') return [];
    if (!isRecord(document)) return [problem(path, 'must be a JSON Schema: an object')];
    const wrong = schemaProblem(document);
    if (wrong !== undefined) return [problem([...path, ...wrong.path], wrong.message)];
    if (stepsOfSimple(document) !== undefined) return [];
    try {
      compileSchema(document);
      return [];
    } catch (error) {
      return [
        problem(path, `this JSON Schema cannot be used: ${error instanceof Error ? error.message : 'unknown error'}`),
      ];
    }
  });
}
