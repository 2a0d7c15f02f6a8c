import { parentPort } from 'node:worker_threads';
import type { ValidateFunction } from 'ajv';
import { READY } from '#api/threads/bounded-threads.ts';
import type { JsonValue } from '../json-value.ts';
import { compileSchema } from './compile-schema.ts';
import type { Schema } from './subschemas.ts';
import { type SchemaVerdict, verdictOf } from './verdict.ts';

/** Both as JSON text, which is the cheapest to send. Without `value`, only checks whether the schema compiles. */
export interface SchemaRequest {
  readonly schema: string;
  readonly value: string | undefined;
}

export type SchemaReply = { readonly verdict: SchemaVerdict } | { readonly broken: string };

/** Cache of compiled schemas, in LRU order. */
const compiled = new Map<string, ValidateFunction>();
const MAX_COMPILED = 50;

parentPort?.on('message', (request: SchemaRequest) => parentPort?.postMessage(answer(request)));
parentPort?.postMessage(READY);

function answer({ schema, value }: SchemaRequest): SchemaReply {
  try {
    const validate = compiled.get(schema) ?? compileSchema(JSON.parse(schema) as Schema);
    compiled.delete(schema);
    compiled.set(schema, validate);
    if (compiled.size > MAX_COMPILED) compiled.delete(compiled.keys().next().value as string);
    if (value === undefined) return { verdict: { valid: true } };
    return { verdict: verdictOf(validate, JSON.parse(value) as JsonValue) };
  } catch (error) {
    return { broken: (error instanceof Error ? error.message : String(error)).slice(0, 500) };
  }
}
