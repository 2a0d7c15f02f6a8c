import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { useEqualityKeywords } from './equality-keywords.ts';
import type { Schema } from './subschemas.ts';

/**
 * Options of the compiler. `ownProperties`: inherited properties are not members of a value. `inlineRefs: false`: a
 * schema that is referenced many times is compiled once. Formats are annotations. References to other documents do not
 * compile, because nothing is fetched. `optimize: false`: the time of the code optimizer grows with the square of the
 * code length.
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
/**
 * Compilers that contain the meta-schemas, by draft. Compiling these takes about 10 ms. No other schema is added to
 * them.
 */
const metaCompilers = new Map<Draft, Ajv | Ajv2020>();

/**
 * Compiles a schema of draft 07, or of 2020-12 if `$schema` names it. Throws if it is invalid. Each schema has a
 * separate compiler: ids of other schemas are invisible, and dropping the schema frees everything. `trusted`: the
 * schema is known to be valid.
 */
export function compileSchema(schema: Schema, { trusted = false } = {}): ValidateFunction {
  const draft: Draft = /2019-09|2020-12/.test(String(schema.$schema ?? '')) ? Ajv2020 : Ajv;
  try {
    if (!trusted) metaCompilerOf(draft).validateSchema(schema, true);
    // This compiler has no meta-schemas, so it could not resolve `$schema`.
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
