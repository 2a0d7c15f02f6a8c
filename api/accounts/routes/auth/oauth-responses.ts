import { z } from 'zod';
import { roleSchema } from '#schemas/api/roles.ts';

/** A response in one of two forms by `Accept`: JSON for programs, a page for people. */
export interface JsonOrPage<T> {
  readonly description: string;
  readonly content: {
    readonly 'application/json': { readonly schema: T };
    readonly 'text/html': { readonly schema: z.ZodString };
  };
}

const pageSchema = z.string().describe('The same response as a page; sent if `Accept` contains text/html.');

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

export const welcomeSchema = z
  .object({
    user: z.object({
      id: z.string(),
      username: z.string(),
      email: z.string(),
      role: roleSchema,
    }),
    apiKey: z.string().describe('`<keyId>.<secret>`. Only this response contains it'),
    apiKeyId: z.string().describe('id of the key in lists').meta({ example: 'tl_4Yb0dWn1Kq7x' }),
    returnTo: z.string().describe('path of the requested page').meta({ example: '/dashboard' }),
  })
  .describe('A new user: the session is open. Only this response contains the default key.');
