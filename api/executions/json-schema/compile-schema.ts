import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Schema } from './subschemas.ts';

/**
 * `ownProperties`: what objects inherit is no property of a value. `inlineRefs: false`: a schema that is referenced many times is compiled once. Formats
 * are annotations. Nothing is fetched: a reference that leads out of the document does not compile.
 */
const OPTIONS = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  ownProperties: true,
  inlineRefs: false,
  logger: false,
} as const;

/**
 * Compiles a schema of draft 07, or of 2020-12 where `$schema` says so. Throws when it is not one. A compiler of its own for each: ids of one schema are
 * unknown to others, and nothing is kept when it is dropped. `trusted`: the schema is known to be valid.
 */
export function compileSchema(schema: Schema, { trusted = false } = {}): ValidateFunction {
  const options = trusted ? { ...OPTIONS, meta: false, validateSchema: false } : OPTIONS;
  const isNewer = /2019-09|2020-12/.test(String(schema.$schema ?? ''));
  // Without the drafts' own schemas, `$schema` would name something unknown.
  const { $schema: _draft, ...rest } = schema;
  return (isNewer ? new Ajv2020(options) : new Ajv(options)).compile(trusted ? rest : schema);
}
