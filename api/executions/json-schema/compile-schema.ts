import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { useEqualityKeywords } from './equality-keywords.ts';
import type { Schema } from './subschemas.ts';

/**
 * `ownProperties`: what objects inherit is no property of a value. `inlineRefs: false`: a schema that is referenced many times is compiled once. Formats
 * are annotations. Nothing is fetched: a reference that leads out of the document does not compile. `optimize: false`: the optimizer of the generated code takes
 * time that grows with the square of its length.
 */
const OPTIONS = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  ownProperties: true,
  inlineRefs: false,
  logger: false,
  code: { optimize: false },
} as const;

type Draft = typeof Ajv | typeof Ajv2020;
/** Compilers that know the schemas of the drafts, which take some 10 ms to compile; nothing else is added to them. */
const metaCompilers = new Map<Draft, Ajv | Ajv2020>();

/**
 * Compiles a schema of draft 07, or of 2020-12 where `$schema` says so. Throws when it is not one. A compiler of its own for each: ids of one schema are
 * unknown to others, and nothing is kept when it is dropped. `trusted`: the schema is known to be valid.
 */
export function compileSchema(schema: Schema, { trusted = false } = {}): ValidateFunction {
  const draft: Draft = /2019-09|2020-12/.test(String(schema.$schema ?? '')) ? Ajv2020 : Ajv;
  try {
    if (!trusted) metaCompilerOf(draft).validateSchema(schema, true);
    // Without the drafts' own schemas, `$schema` would name something unknown.
    const { $schema: _draft, ...rest } = schema;
    const compiler = new draft({ ...OPTIONS, meta: false, validateSchema: false });
    useEqualityKeywords(compiler);
    return compiler.compile(rest);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Error('the schema has too many nested or alternative subschemas to be compiled', { cause: error });
  }
}

function metaCompilerOf(draft: Draft): Ajv | Ajv2020 {
  let compiler = metaCompilers.get(draft);
  if (compiler === undefined) {
    compiler = new draft(OPTIONS);
    useEqualityKeywords(compiler);
    metaCompilers.set(draft, compiler);
  }
  return compiler;
}
