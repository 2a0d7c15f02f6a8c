import type { JsonValue } from '../json-value.ts';
import { createReferences } from './references.ts';
import { isSchema, type Schema, subschemasOf } from './subschemas.ts';

/** Maximum number of subschemas with all references resolved, plus values of their keywords. */
const MAX_STEPS = 500;

type Test = (value: JsonValue) => boolean;
const isText: Test = (value) => typeof value === 'string';
const isAnything: Test = () => true;
const isCount: Test = (value) => Number.isInteger(value) && Number(value) >= 0;
const isNumber: Test = (value) => typeof value === 'number' && Number.isFinite(value);
const isTexts: Test = (value) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isSubschema: Test = (value) => typeof value === 'boolean' || isSchema(value);
const isNamed: Test = (value) => isSchema(value) && Object.values(value).every(isSubschema);
const isSome: Test = (value) => Array.isArray(value) && value.length > 0 && value.every(isSubschema);
const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];
const isType: Test = (value) =>
  Array.isArray(value)
    ? value.length > 0 && isTexts(value) && value.every((one: JsonValue) => TYPES.includes(String(one)))
    : isText(value) && TYPES.includes(String(value)); // `String` turns null into the name of a type

/** Keywords whose cost is linear in schema and value, and the check of their form. */
const KEYWORDS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['type', isType],
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ['const', isAnything],
  ['properties', isNamed],
  ['required', isTexts],
  ['additionalProperties', isSubschema],
  ['propertyNames', isSubschema],
  ['minProperties', isCount],
  ['maxProperties', isCount],
  ['items', isSubschema],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['allOf', isSome],
  ['anyOf', isSome],
  ['oneOf', isSome],
  ['not', isSubschema],
  ['if', isSubschema],
  ['then', isSubschema],
  ['else', isSubschema],
  ['$defs', isNamed],
  ['definitions', isNamed],
  ['$ref', (value) => isText(value) && String(value).startsWith('#/')],
  [
    '$schema',
    (value) => isText(value) && /^https?:\/\/json-schema\.org\/draft(?:-07|\/2020-12)\/schema#?$/.test(String(value)),
  ],
  // Annotations, which do not constrain the value.
  ['title', isText],
  ['description', isText],
  ['$comment', isText],
  ['format', isText],
  ['default', isAnything],
  ['examples', isAnything],
]);

/**
 * Returns an upper bound of the steps that checking one value takes, without its nested values. Returns undefined for a
 * schema that is not simple: recursive, not known to be valid, or with keywords whose cost can grow faster than the
 * value.
 */
export function stepsOfSimple(document: JsonValue): number | undefined {
  if (!isSchema(document)) return undefined;
  const references = createReferences(document);
  const open = new Set<Schema>();
  let steps = 0;
  const walk = (schema: Schema): boolean => {
    if (open.has(schema)) return false;
    open.add(schema);
    steps += 1;
    for (const [keyword, value] of Object.entries(schema)) {
      if (KEYWORDS.get(keyword)?.(value) !== true) return false;
      if (keyword === 'enum' || keyword === 'const') steps += valuesIn(value);
      else if (typeof value === 'object' && value !== null) steps += Object.keys(value).length;
      if (steps > MAX_STEPS) return false;
    }
    const targets = references.targetsOf(schema);
    if (schema.$ref !== undefined && targets.length === 0) return false;
    for (const { value } of subschemasOf(schema)) if (isSchema(value) && !walk(value)) return false;
    for (const target of targets) if (!walk(target)) return false;
    open.delete(schema);
    return true;
  };
  return walk(document) ? steps : undefined;
}

function valuesIn(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const inner of Object.values(value) as JsonValue[]) {
    count += valuesIn(inner);
    if (count > MAX_STEPS) break;
  }
  return count;
}
