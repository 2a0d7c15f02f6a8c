import type { JsonValue } from '../json-value.ts';
import { patternProblem } from './pattern-limits.ts';
import { createReferences, REFERENCES, type References } from './references.ts';
import { isSchema, type Schema, subschemasOf } from './subschemas.ts';

/**
 * Limits of one JSON Schema. They bound the cost of compilation. The cost of a check also depends on the value; the
 * time limit of the thread bounds it.
 */
export const SCHEMA_LIMITS = {
  characters: 200_000,
  depth: 64,
  subschemas: 5_000,
  definitions: 1_000,
  references: 2_000,
  enumValues: 10_000,
  patterns: 200,
  /** Maximum number of subschemas that apply to one position of a value, with all references resolved. */
  perPlace: 10_000,
} as const;

/** A problem of a schema, and its path. */
export interface SchemaProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

interface Found {
  readonly schema: Schema;
  readonly path: readonly (string | number)[];
}

/**
 * Returns the first limit that a schema exceeds, or undefined. Takes time linear in the size of the schema. The
 * compiler checks whether the schema is valid.
 */
export function schemaProblem(document: JsonValue): SchemaProblem | undefined {
  const found: Found[] = [];
  const tooDeep = collect(document, [], found);
  if (tooDeep !== undefined) return tooDeep;
  return countProblem(document, found) ?? referenceProblem(document, found);
}

/** Collects all subschemas in order, parents first. */
function collect(value: JsonValue, path: readonly (string | number)[], found: Found[]): SchemaProblem | undefined {
  if (!isSchema(value)) return undefined;
  if (path.length > 2 * SCHEMA_LIMITS.depth)
    return { path: path.slice(0, 8), message: `a schema nests at most ${SCHEMA_LIMITS.depth} levels of subschemas` };
  found.push({ schema: value, path });
  if (found.length > SCHEMA_LIMITS.subschemas)
    return { path: [], message: `a schema has at most ${SCHEMA_LIMITS.subschemas} subschemas` };
  for (const { value: inner, path: within } of subschemasOf(value)) {
    const problem = collect(inner, [...path, ...within], found);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function countProblem(document: JsonValue, found: readonly Found[]): SchemaProblem | undefined {
  const { characters, definitions, references, enumValues, patterns } = SCHEMA_LIMITS;
  const length = JSON.stringify(document).length;
  if (length > characters)
    return { path: [], message: `a schema has at most ${characters} characters of JSON, this one ${length}` };
  let definitionCount = 0;
  let referenceCount = 0;
  let patternCount = 0;
  for (const { schema, path } of found) {
    for (const name of ['$defs', 'definitions'] as const) definitionCount += Object.keys(schema[name] ?? {}).length;
    for (const name of REFERENCES) if (schema[name] !== undefined) referenceCount++;
    const { enum: values } = schema;
    if (Array.isArray(values) && values.length > enumValues)
      return {
        path: [...path, 'enum'],
        message: `\`enum\` has at most ${enumValues} values, this one ${values.length}`,
      };
    for (const { pattern, path: within } of patternsOf(schema)) {
      patternCount++;
      const problem = patternProblem(pattern);
      if (problem !== undefined) return { path: [...path, ...within], message: problem };
    }
  }
  if (definitionCount > definitions)
    return { path: [], message: `a schema has at most ${definitions} definitions, this one ${definitionCount}` };
  if (referenceCount > references)
    return { path: [], message: `a schema has at most ${references} references, this one ${referenceCount}` };
  if (patternCount > patterns)
    return { path: [], message: `a schema has at most ${patterns} regular expressions, this one ${patternCount}` };
  return undefined;
}

function patternsOf({ pattern, patternProperties }: Schema): { readonly pattern: string; readonly path: string[] }[] {
  const names =
    typeof patternProperties === 'object' && patternProperties !== null ? Object.keys(patternProperties) : [];
  return [
    ...(typeof pattern === 'string' ? [{ pattern, path: ['pattern'] }] : []),
    ...names.map((name) => ({ pattern: name, path: ['patternProperties', name] })),
  ];
}

/** Rejects references to other documents, because nothing is fetched. */
function referenceProblem(document: JsonValue, found: readonly Found[]): SchemaProblem | undefined {
  const references = createReferences(document);
  for (const { schema, path } of found)
    for (const keyword of REFERENCES) {
      const reference = schema[keyword];
      if (reference === undefined || typeof reference !== 'string' || references.isKnown(schema, reference)) continue;
      return {
        path: [...path, keyword],
        message: `\`${reference.slice(0, 200)}\` does not resolve in this schema; other documents are not fetched`,
      };
    }
  return expansionProblem(references, found);
}

/**
 * Rejects references that expand without descending into the value. Cycles of them never end, and nested ones grow
 * exponentially, because a validator follows each. References that descend into the value may be recursive: its depth
 * bounds them.
 */
function expansionProblem(references: References, found: readonly Found[]): SchemaProblem | undefined {
  const weights = new Map<Schema, number>();
  const weigh = (schema: Schema): number => {
    const known = weights.get(schema);
    if (known !== undefined) return known;
    // Marks the schema as in progress. Reaching it again means a cycle.
    weights.set(schema, Number.POSITIVE_INFINITY);
    let weight = 1;
    for (const { value, samePlace } of subschemasOf(schema)) if (samePlace && isSchema(value)) weight += weigh(value);
    for (const target of references.targetsOf(schema)) weight += weigh(target);
    weights.set(schema, weight);
    return weight;
  };
  for (const { schema, path } of found) {
    const weight = weigh(schema);
    if (weight === Number.POSITIVE_INFINITY)
      return { path, message: 'references form a cycle that does not descend into a property or item' };
    if (weight > SCHEMA_LIMITS.perPlace)
      return {
        path,
        message: `with all references followed, one value is checked against more than ${SCHEMA_LIMITS.perPlace} subschemas`,
      };
  }
  return undefined;
}
