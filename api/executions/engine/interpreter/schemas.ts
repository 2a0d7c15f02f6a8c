import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonValue } from '../../json-value.ts';
import { safePattern } from '../safe-pattern.ts';
import { fault } from './faults.ts';
import { get, getText, isObject, type JsonObject } from './json.ts';

/**
 * Patterns of schemas come from definitions and meet data from outside: those that can take exponential time are refused, and formats are notes only.
 * Nothing is fetched: a `$ref` beyond the document does not compile.
 */
const OPTIONS = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
  code: { regExp: Object.assign(safePattern, { code: 'safePattern' }) },
} as const;

/** By the document's identity: a definition is loaded once and checked often. */
const compiled = new WeakMap<JsonObject, ValidateFunction>();

/** Checks a value against the `schema` of an input, output or export. Throws the language's validation error. */
export function checkSchema(schema: JsonValue | undefined, value: JsonValue, what: string, path: string): void {
  const document = get(schema, 'document');
  if (!isObject(document)) return;
  let validate = compiled.get(document);
  if (validate === undefined) {
    try {
      const ajv = getText(document, '$schema')?.includes('2020-12') ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
      // An id would be kept beyond this schema, and another definition may have the same.
      const { $id: _id, ...rest } = document;
      validate = ajv.compile(rest);
    } catch (error) {
      throw fault(
        'configuration',
        `the schema of ${what}: ${error instanceof Error ? error.message : 'unknown'}`,
        path,
      );
    }
    compiled.set(document, validate);
  }
  if (validate(value) === true) return;
  const [first] = validate.errors ?? [];
  throw fault('validation', `${what}${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`, path);
}
