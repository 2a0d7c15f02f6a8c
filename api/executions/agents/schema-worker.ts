import { parentPort } from 'node:worker_threads';
import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { safePattern } from '../engine/safe-pattern.ts';
import type { JsonValue } from '../json-value.ts';

export interface SchemaQuestion {
  readonly schema: object;
  /** undefined: only whether the schema is one. */
  readonly value?: JsonValue | undefined;
}

/** Whether a value is as a schema says, and where it is not. */
export type SchemaVerdict =
  | { readonly valid: true }
  | { readonly valid: false; readonly problems: readonly { readonly path: string; readonly message: string }[] };

export type SchemaAnswer = { readonly verdict: SchemaVerdict } | { readonly broken: string };

const MAX_PROBLEMS = 20;
const regExp = Object.assign((pattern: string) => safePattern(pattern), { code: 'safePattern' });

parentPort?.on('message', (question: SchemaQuestion) => parentPort?.postMessage(answer(question)));

/** Draft 07 or 2020-12 by its `$schema`; nothing is fetched. */
function answer({ schema, value }: SchemaQuestion): SchemaAnswer {
  try {
    const draft = String((schema as { $schema?: unknown }).$schema ?? '');
    const options = { strict: false, validateFormats: false, ownProperties: true, code: { regExp } };
    const ajv = /2019-09|2020-12/.test(draft) ? new Ajv2020(options) : new Ajv(options);
    const validate = ajv.compile(schema);
    if (value === undefined || validate(value)) return { verdict: { valid: true } };
    return { verdict: { valid: false, problems: (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(problemOf) } };
  } catch (error) {
    return { broken: (error instanceof Error ? error.message : String(error)).slice(0, 500) };
  }
}

function problemOf({ instancePath, message, params }: ErrorObject) {
  const extra = 'additionalProperty' in params ? ` (${String(params.additionalProperty).slice(0, 100)})` : '';
  return { path: instancePath === '' ? '/' : instancePath, message: `${message ?? 'does not fit'}${extra}` };
}
