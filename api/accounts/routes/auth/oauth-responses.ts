import { z } from 'zod';

/** An answer that programs get as JSON and people as a page: one form or the other, by `Accept`. */
export interface JsonOrPage<T> {
  readonly description: string;
  readonly content: {
    readonly 'application/json': { readonly schema: T };
    readonly 'text/html': { readonly schema: z.ZodString };
  };
}

const pageSchema = z.string().describe('The same for people; sent when `Accept` names text/html.');

export function jsonOrPage<T extends z.ZodType>(schema: T): JsonOrPage<T> {
  return {
    description: schema.description ?? 'Answered.',
    content: { 'application/json': { schema }, 'text/html': { schema: pageSchema } },
  };
}

/** Response schemas by status, each in both forms. */
export function inBothForms<R extends Readonly<Record<number, z.ZodType>>>(responses: R) {
  return Object.fromEntries(Object.entries(responses).map(([status, schema]) => [status, jsonOrPage(schema)])) as {
    readonly [S in keyof R]: JsonOrPage<R[S]>;
  };
}
