import type { ErrorObject } from 'ajv';
import type { JsonValue } from '#api/executions/json-value.ts';
import { validateDsl } from './dsl-schema.ts';
import { type DefinitionIssue, MAX_ISSUES, pathOfPointer, problem } from './issue.ts';
import { isRecord } from './walk.ts';

/** Keywords that combine subschemas. Errors inside them are more specific. */
const COMBINING = new Set(['oneOf', 'anyOf', 'allOf', 'if', 'not']);
const MAX_REASONS = 5;
/** Versions of the DSL whose documents have the same format. */
const SUPPORTED_DSL = /^1\.0\.\d+$/;

/** Validates a definition against the JSON Schema of the DSL. Returns an empty list if it is valid. */
export function validateShape(definition: JsonValue): DefinitionIssue[] {
  if (!isRecord(definition)) return [problem([], 'a workflow must be an object with `document` and `do`')];
  const { document } = definition;
  if (!isRecord(document)) return [problem([], '`document` with dsl, namespace, name and version is required')];
  const { dsl } = document;
  if (typeof dsl !== 'string' || !SUPPORTED_DSL.test(dsl))
    return [problem(['document', 'dsl'], 'must be a version of the DSL, as text: 1.0.0')];
  const validate = validateDsl();
  if (validate(definition)) return [];
  const errors = Map.groupBy(validate.errors ?? [], ({ instancePath }) => instancePath);
  return deepest([...errors.keys()])
    .slice(0, MAX_ISSUES)
    .map((pointer) => problem(pathOfPointer(pointer), summaryOf(errors.get(pointer) ?? [])));
}

/** Returns the deepest of nested paths. The alternative that matches furthest is probably the intended one. */
function deepest(pointers: readonly string[]): string[] {
  const within = new Set<string>();
  for (const pointer of pointers)
    for (let at = pointer.lastIndexOf('/'); at >= 0; at = at === 0 ? -1 : pointer.lastIndexOf('/', at - 1))
      within.add(pointer.slice(0, at));
  return pointers.filter((pointer) => !within.has(pointer));
}

/** Summarizes the errors at one path in one sentence. */
function summaryOf(errors: readonly ErrorObject[]): string {
  const concrete = errors.filter(({ keyword }) => !COMBINING.has(keyword));
  const missing = concrete.flatMap(({ keyword, params }) =>
    keyword === 'required' ? [String(params.missingProperty)] : [],
  );
  // Alternatives that differ in their required key.
  if (missing.length > 3) {
    const others = new Set(concrete.filter(({ keyword }) => keyword !== 'required').map(reasonOf));
    const choice = `one of these is required: ${[...new Set(missing)].join(', ')}`;
    return [...[...others].slice(0, MAX_REASONS - 1), choice].join('; ');
  }
  const reasons = (concrete.length === 0 ? errors : concrete).map(reasonOf);
  return [...new Set(reasons)].slice(0, MAX_REASONS).join('; ');
}

function reasonOf({ message = 'is not valid', params }: ErrorObject): string {
  const extra: unknown = params.additionalProperty ?? params.unevaluatedProperty;
  if (typeof extra === 'string') return `unknown property '${extra}'`;
  const allowed: unknown = params.allowedValues ?? params.allowedValue;
  return allowed === undefined ? message : `${message}: ${JSON.stringify(allowed)}`;
}
