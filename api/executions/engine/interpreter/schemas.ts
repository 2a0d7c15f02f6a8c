import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonValue } from '../../json-value.ts';
import { inTime } from '../in-time.ts';
import { fault } from './faults.ts';
import { get, getText, isObject, type JsonObject } from './json.ts';

/** Formats are notes only. Nothing is fetched: a `$ref` beyond the document does not compile. */
const OPTIONS = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
} as const;
const LIMIT_MS = 200;

interface Compiled {
  readonly validate: ValidateFunction;
  /** Has words whose time can grow faster than the value. */
  readonly risky: boolean;
}
const RISKY = /"(?:pattern|patternProperties|uniqueItems)"/;

/** By the document's identity: a definition is loaded once and checked often. */
const compiled = new WeakMap<JsonObject, Compiled>();

/** Checks a value against the `schema` of an input, output or export. Throws the language's validation error. */
export function checkSchema(schema: JsonValue | undefined, value: JsonValue, what: string, path: string): void {
  const document = get(schema, 'document');
  if (!isObject(document)) return;
  let known = compiled.get(document);
  if (known === undefined) {
    try {
      const ajv = getText(document, '$schema')?.includes('2020-12') ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
      // An id would be kept beyond this schema, and another definition may have the same.
      const { $id: _id, ...rest } = document;
      known = { validate: ajv.compile(rest), risky: RISKY.test(JSON.stringify(rest)) };
    } catch (error) {
      throw fault(
        'configuration',
        `the schema of ${what}: ${error instanceof Error ? error.message : 'unknown'}`,
        path,
      );
    }
    compiled.set(document, known);
  }
  const { validate, risky } = known;
  const result = risky ? inTime(() => validate(value), LIMIT_MS) : { value: validate(value) };
  if (result === undefined) throw fault('validation', `${what} takes too long to check`, path);
  if (result.value === true) return;
  const [first] = validate.errors ?? [];
  throw fault('validation', `${what}${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`, path);
}
